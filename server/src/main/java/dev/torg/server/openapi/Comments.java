package dev.torg.server.openapi;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The comments of the .proto files by the full name of the service, method, message, field, enum or enum value that they
/// precede (`torg.v1.Offer.Status.ACTIVE` for a value). The generated classes do not contain them, so they are read from
/// the descriptor set that is packaged with these classes.
final class Comments {
  private static final String RESOURCE = "/META-INF/armeria/grpc/torg.dsc";

  private final Map<String, String> byName = new HashMap<>();

  private Comments() {}

  static Comments load() {
    try (InputStream in = Comments.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the descriptor set " + RESOURCE + " is missing");
      }
      Comments comments = new Comments();
      FileDescriptorSet.parseFrom(in).getFileList().forEach(comments::add);
      return comments;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The comment, a line a paragraph, or an empty string.
  String of(String fullName) {
    return byName.getOrDefault(fullName, "");
  }

  private void add(FileDescriptorProto file) {
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      String comment = unwrapped(location.getLeadingComments());
      String name = comment.isEmpty() ? "" : name(file, location.getPathList());
      if (!name.isEmpty()) {
        byName.put(file.getPackage() + "." + name, comment);
      }
    }
  }

  private static String unwrapped(String comment) {
    return comment.strip().replaceAll(" *\\n *(?!\\n)", "\n").replaceAll("(?<!\\n)\\n(?!\\n)", " ");
  }

  /// A location's path alternates field numbers of the descriptor and indexes: [6, 0, 2, 1] is service 0, method 1.
  private static String name(FileDescriptorProto file, List<Integer> path) {
    if (path.size() < 2) {
      return "";
    }
    int index = path.get(1);
    List<Integer> remaining = path.subList(2, path.size());
    return switch (path.getFirst()) {
      case FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER ->
          name(file.getMessageType(index), remaining);
      case FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER -> name(file.getEnumType(index), remaining);
      case FileDescriptorProto.SERVICE_FIELD_NUMBER -> {
        var service = file.getService(index);
        yield remaining.size() == 2
            ? service.getName() + "." + service.getMethod(remaining.get(1)).getName()
            : remaining.isEmpty() ? service.getName() : "";
      }
      default -> "";
    };
  }

  private static String name(DescriptorProto message, List<Integer> path) {
    if (path.size() < 2) {
      return message.getName();
    }
    List<Integer> remaining = path.subList(2, path.size());
    String inner =
        switch (path.getFirst()) {
          case DescriptorProto.FIELD_FIELD_NUMBER -> message.getField(path.get(1)).getName();
          case DescriptorProto.NESTED_TYPE_FIELD_NUMBER ->
              name(message.getNestedType(path.get(1)), remaining);
          case DescriptorProto.ENUM_TYPE_FIELD_NUMBER ->
              name(message.getEnumType(path.get(1)), remaining);
          default -> "";
        };
    return inner.isEmpty() ? "" : message.getName() + "." + inner;
  }

  private static String name(EnumDescriptorProto values, List<Integer> path) {
    return path.size() < 2
        ? values.getName()
        : values.getName() + "." + values.getValue(path.get(1)).getName();
  }
}
