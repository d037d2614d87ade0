package dev.torg.server.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/// How many items a request contains: the elements of its repeated fields. One message with 500 items is work
/// for 500, so the rate limit counts them too, a configured number of items as one call.
final class BatchCost {
  private BatchCost() {}

  static int items(Object request) {
    if (!(request instanceof Message message)) {
      return 0;
    }
    int items = 0;
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated()) {
        items += message.getRepeatedFieldCount(field);
      }
    }
    return items;
  }
}
