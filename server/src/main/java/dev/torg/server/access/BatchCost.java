package dev.torg.server.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/// The number of items in a request: the elements of its repeated fields. One message with 500
/// items is the work of 500, so the rate limit counts items too: a configured number of them as one
/// call.
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
