package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerUserTest {
  private static final boolean ROOT = ServerUser.self() == 0;

  @Test
  void choose_anyUser_isNotRoot() throws IOException {
    ServerUser user = ServerUser.choose();
    assertThat(user.uid()).isNotZero();
    assertThat(user.isSelf()).isEqualTo(!ROOT);
  }

  @Test
  void firstOf_firstUserMissing_usesTheNext() throws IOException {
    if (ROOT) {
      ServerUser user = ServerUser.firstOf(List.of("no-such-user", "nobody"));
      assertThat(user.name()).isEqualTo("nobody");
      assertThat(user.uid()).isNotZero();
    }
  }

  @Test
  void firstOf_noUserCanBeAssumed_reportsWhyForEach() {
    assertThatThrownBy(() -> ServerUser.firstOf(List.of("no-such-user", "nor-this")))
        .hasMessageContaining("run Torg as an ordinary user")
        .hasMessageContaining("no-such-user: ")
        .hasMessageContaining("nor-this: ");
  }

  @Test
  void command_asAnotherUser_passesTheDirectoryOn(@TempDir Path directory) throws IOException {
    ServerUser user = ServerUser.choose();
    user.own(directory);
    String[] list = {"sh", "-c", "id -u; touch \"$0/made\"", user.pathOf(directory)};
    assertThat(Commands.run(user.command(directory, list)).strip()).isEqualTo("" + user.uid());
    assertThat(directory.resolve("made")).exists();
  }
}
