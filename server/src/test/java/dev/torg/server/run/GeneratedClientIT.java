package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openapitools.codegen.ClientOptInput;
import org.openapitools.codegen.DefaultGenerator;
import org.openapitools.codegen.config.CodegenConfigurator;
import org.slf4j.LoggerFactory;

/// The API as the users of generated clients see it: openapi-generator generates a Java client from
/// `/openapi.json`, and the calls in `generated-client/ClientCalls.java` are compiled with it and
/// sent to a running server.
class GeneratedClientIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String PACKAGE = "dev.torg.client";
  private static final String CALLS = "ClientCalls";

  @TempDir static Path directory;

  private static Class<?> calls;

  @BeforeAll
  static void generate() throws Exception {
    quietGenerator();
    Path document = directory.resolve("openapi.json");
    HttpRequest request = HttpRequest.newBuilder(TORG.uri("/openapi.json")).build();
    assertThat(TORG.client().send(request, BodyHandlers.ofFile(document)).statusCode())
        .isEqualTo(200);
    Path sources = directory.resolve("client");
    new DefaultGenerator().opts(options(document, sources)).generate();
    Path classes = compile(withCalls(sources.resolve("src/main/java")));
    URL[] urls = {classes.toUri().toURL()};
    calls =
        new URLClassLoader(urls, GeneratedClientIT.class.getClassLoader())
            .loadClass(PACKAGE + "." + CALLS);
  }

  /// The generator warns of its own templates.
  private static void quietGenerator() {
    for (String name : List.of("org.openapitools", "io.swagger")) {
      ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.ERROR);
    }
  }

  private static ClientOptInput options(Path document, Path output) {
    CodegenConfigurator generator = new CodegenConfigurator();
    generator.setGeneratorName("java");
    generator.setLibrary("native");
    generator.setInputSpec(document.toString());
    generator.setOutputDir(output.toString());
    generator.setInvokerPackage(PACKAGE);
    generator.setApiPackage(PACKAGE + ".api");
    generator.setModelPackage(PACKAGE + ".model");
    generator.addAdditionalProperty("openApiNullable", "false");
    generator.addAdditionalProperty("useJakartaEe", "true");
    generator.addAdditionalProperty("hideGenerationTimestamp", "true");
    for (String unwanted : List.of("apiTests", "modelTests", "apiDocs", "modelDocs")) {
      generator.addGlobalProperty(unwanted, "false");
    }
    return generator.toClientOptInput();
  }

  private static Path withCalls(Path sources) throws IOException {
    String name = CALLS + ".java";
    try (InputStream in =
        GeneratedClientIT.class.getResourceAsStream("/generated-client/" + name)) {
      Files.copy(
          Objects.requireNonNull(in), sources.resolve(PACKAGE.replace('.', '/')).resolve(name));
    }
    return sources;
  }

  private static Path compile(Path sources) throws IOException {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> tree = Files.walk(sources)) {
      List<Path> java = tree.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options =
          List.of(
              "-d",
              classes.toString(),
              "-proc:none",
              "-nowarn",
              "-classpath",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  messages, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      assertThat(compiled).as("%s", messages).isTrue();
    }
    return classes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "createAnonymous",
        "publishOffer",
        "saveSearch",
        "listNotifications",
        "readProblem"
      })
  void generatedClient_calls(String call) throws Throwable {
    Object client =
        calls
            .getConstructor(String.class, String.class)
            .newInstance(TORG.uri("").toString(), TORG.user().token());
    try {
      calls.getMethod(call).invoke(client);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
