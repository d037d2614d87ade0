package dev.torg.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Checks that the published API stays compatible: every line of `published.txt` describes a published field, enum
/// value or method and must still hold. New lines are added with `-Dtorg.api.accept=true`; lines are never removed.
class PublishedApiTest {
  private static final Path PUBLISHED = Path.of("src/test/resources/published.txt");
  private static final Path PROTOS = Path.of("src/main/protobuf");
  private static final String DESCRIPTORS = "/META-INF/armeria/grpc/torg.dsc";

  @Test
  void api_publishedLines_areUnchanged() throws Exception {
    TreeSet<String> now = new TreeSet<>();
    for (FileDescriptor file : files()) {
      describe(file, now);
    }
    if (Boolean.getBoolean("torg.api.accept")) {
      now.addAll(Files.readAllLines(PUBLISHED));
      Files.write(PUBLISHED, now);
    }
    assertThat(now).containsExactlyInAnyOrderElementsOf(Files.readAllLines(PUBLISHED));
  }

  /// All .proto files of the directory. Those of Google are only imported.
  private static List<FileDescriptor> files() throws Exception {
    Map<String, FileDescriptor> built = new HashMap<>();
    try (InputStream in = PublishedApiTest.class.getResourceAsStream(DESCRIPTORS)) {
      for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
        FileDescriptor[] imports =
            file.getDependencyList().stream()
                .filter(built::containsKey)
                .map(built::get)
                .toArray(FileDescriptor[]::new);
        built.put(file.getName(), FileDescriptor.buildFrom(file, imports, true));
      }
    }
    try (Stream<Path> files = Files.walk(PROTOS)) {
      List<FileDescriptor> descriptors =
          files
              .filter(file -> file.toString().endsWith(".proto"))
              .map(file -> built.get(PROTOS.relativize(file).toString()))
              .toList();
      assertThat(descriptors).isNotEmpty().doesNotContainNull();
      return descriptors;
    }
  }

  private static void describe(FileDescriptor file, TreeSet<String> lines) {
    file.getMessageTypes().forEach(message -> describe(message, lines));
    file.getEnumTypes().forEach(type -> describe(type, lines));
    file.getServices()
        .forEach(service -> service.getMethods().forEach(method -> lines.add(line(method))));
  }

  private static void describe(Descriptor message, TreeSet<String> lines) {
    message.getFields().forEach(field -> lines.add(line(field)));
    message.getNestedTypes().forEach(nested -> describe(nested, lines));
    message.getEnumTypes().forEach(type -> describe(type, lines));
  }

  private static void describe(EnumDescriptor type, TreeSet<String> lines) {
    type.getValues()
        .forEach(
            value ->
                lines.add(
                    "value "
                        + type.getFullName()
                        + "."
                        + value.getName()
                        + " = "
                        + value.getNumber()));
  }

  private static String line(FieldDescriptor field) {
    String type =
        switch (field.getJavaType()) {
          case MESSAGE -> field.getMessageType().getFullName();
          case ENUM -> field.getEnumType().getFullName();
          case INT, LONG, FLOAT, DOUBLE, BOOLEAN, STRING, BYTE_STRING ->
              field.getType().name().toLowerCase(java.util.Locale.ROOT);
        };
    return "field "
        + field.getFullName()
        + " = "
        + field.getNumber()
        + (field.isRepeated() ? " repeated " : " ")
        + type;
  }

  private static String line(MethodDescriptor method) {
    return "method "
        + method.getFullName()
        + " "
        + method.getInputType().getFullName()
        + " -> "
        + method.getOutputType().getFullName();
  }
}
