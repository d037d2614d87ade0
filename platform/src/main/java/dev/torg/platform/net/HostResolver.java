package dev.torg.platform.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Resolves host names.
@FunctionalInterface
public interface HostResolver {
  HostResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  List<InetAddress> resolve(String host) throws UnknownHostException;
}
