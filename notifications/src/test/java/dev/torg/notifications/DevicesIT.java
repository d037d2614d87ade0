package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.recipient;
import static dev.torg.notifications.DevicesFixture.android;
import static dev.torg.notifications.DevicesFixture.anonymous;
import static dev.torg.notifications.DevicesFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.devices.RegisteredDevice;
import dev.torg.notifications.devices.StoredDeviceTimezones;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DevicesIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final DevicesFixture FIXTURE = new DevicesFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void register_sameTokenAgain_updatesTheDevice() {
    String owner = recipient();
    String token = token();
    RegisteredDevice first = FIXTURE.register(owner, token);
    FIXTURE.advance(Duration.ofDays(1));
    RegisteredDevice second =
        FIXTURE.devices.register(
            owner, android(token).toBuilder().setAppVersion("2.0").setTimezone("UTC").build());
    assertThat(FIXTURE.devices.list(owner)).containsExactly(second);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.appVersion()).isEqualTo("2.0");
    assertThat(second.createdAt()).isEqualTo(first.createdAt());
    assertThat(second.usedAt()).isEqualTo(first.usedAt().plus(Duration.ofDays(1)));
  }

  @Test
  void register_tokenOfAnotherPerson_movesTheDevice() {
    String first = recipient();
    String second = recipient();
    String token = token();
    var _ = FIXTURE.register(first, token);
    var _ = FIXTURE.register(second, token);
    assertThat(FIXTURE.tokens(first)).isEmpty();
    assertThat(FIXTURE.tokens(second)).containsExactly(token);
    assertThat(FIXTURE.targets.find(first, Channel.PUSH)).isEmpty();
    assertThat(rows(first)).isZero();
    var _ = FIXTURE.register(first, token);
    assertThat(FIXTURE.tokens(first)).containsExactly(token);
    assertThat(FIXTURE.tokens(second)).isEmpty();
  }

  /// A row without a claim is what a crash between the two leaves.
  @Test
  void find_rowWithoutItsClaim_isNotUsedAndRemovedLater() {
    String owner = recipient();
    RegisteredDevice device = FIXTURE.register(owner, token());
    FIXTURE.database.transact(
        tx ->
            tx.sql("UPDATE device_claim SET owner = 'user:other' WHERE home = ? AND device_id = ?")
                .set(Home.of(device.id()))
                .set(device.id())
                .update());
    assertThat(FIXTURE.targets.find(owner, Channel.PUSH)).isEmpty();
    assertThat(rows(owner)).isEqualTo(1);
    FIXTURE.advance(Duration.ofHours(2));
    assertThat(FIXTURE.targets.find(owner, Channel.PUSH)).isEmpty();
    assertThat(rows(owner)).isZero();
  }

  @Test
  void register_concurrentlyByManyPersons_belongsToOne() throws Exception {
    for (int round = 0; round < 10; round++) {
      String token = token();
      List<String> owners = IntStream.range(0, 6).mapToObj(_ -> recipient()).toList();
      inParallel(
          owners.stream().<Runnable>map(owner -> () -> FIXTURE.register(owner, token)).toList());
      assertThat(owners.stream().filter(owner -> !FIXTURE.tokens(owner).isEmpty())).hasSize(1);
    }
  }

  @Test
  void register_moreThanTheLimit_replacesTheOldest() {
    String owner = recipient();
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      tokens.addFirst(token());
      var _ = FIXTURE.register(owner, tokens.getFirst());
      FIXTURE.advance(Duration.ofSeconds(1));
    }
    assertThat(FIXTURE.tokens(owner)).isEqualTo(tokens.subList(0, 20));
    var _ = FIXTURE.register(owner, tokens.get(19));
    assertThat(FIXTURE.tokens(owner)).hasSize(20);
  }

  @Test
  void register_concurrentlyAtTheLimit_keepsToIt() throws Exception {
    String owner = recipient();
    for (int i = 0; i < 18; i++) {
      var _ = FIXTURE.register(owner, token());
    }
    inParallel(
        IntStream.range(0, 4)
            .<Runnable>mapToObj(_ -> () -> FIXTURE.register(owner, token()))
            .toList());
    assertThat(rows(owner)).isLessThanOrEqualTo(20);
    assertThat(FIXTURE.tokens(owner)).hasSizeBetween(18, 20);
  }

  @Test
  void delete_byIdOrToken_removesTheDeviceOfTheCallerOnly() {
    String owner = recipient();
    String other = recipient();
    RegisteredDevice first = FIXTURE.register(owner, token());
    RegisteredDevice second = FIXTURE.register(owner, token());
    FIXTURE.devices.delete(other, first.id(), "");
    assertThat(FIXTURE.devices.list(owner)).hasSize(2);
    FIXTURE.devices.delete(owner, first.id(), "");
    FIXTURE.devices.delete(owner, first.id(), "");
    assertThat(FIXTURE.devices.list(owner)).containsExactly(second);
    FIXTURE.devices.delete(owner, "", second.address().token());
    assertThat(FIXTURE.devices.list(owner)).isEmpty();
    assertThatThrownBy(() -> FIXTURE.devices.delete(owner, "", "")).isInstanceOf(Failure.class);
  }

  @Test
  void remove_goneTarget_keepsOtherDevices() {
    String owner = recipient();
    RegisteredDevice gone = FIXTURE.register(owner, token());
    RegisteredDevice other = FIXTURE.register(owner, token());
    DeliveryTarget target =
        new DeliveryTarget.Fcm(gone.id(), "of a former version", gone.address().token());
    FIXTURE.targets.remove(recipient(), target);
    assertThat(FIXTURE.devices.list(owner)).hasSize(2);
    FIXTURE.targets.remove(owner, target);
    assertThat(FIXTURE.devices.list(owner)).containsExactly(other);
  }

  @Test
  void find_manyPersonsInATransaction_findsTheDevicesOfEach() {
    List<String> owners = recipientsOfOneShard();
    Map<String, String> tokens = Map.of(owners.get(0), token(), owners.get(1), token());
    tokens.forEach(FIXTURE::register);
    var found =
        FIXTURE.database.inTransaction(
            tx -> {
              tx.sql("DELETE FROM unread WHERE home = ? AND owner = ?")
                  .set(Home.of(owners.getFirst()))
                  .set(owners.getFirst())
                  .update();
              return FIXTURE.targets.find(tx, owners, Channel.PUSH);
            });
    assertThat(found).containsOnlyKeys(owners);
    owners.forEach(
        owner ->
            assertThat(found.get(owner))
                .extracting(target -> ((DeliveryTarget.Fcm) target).token())
                .isEqualTo(tokens.containsKey(owner) ? List.of(tokens.get(owner)) : List.of()));
  }

  @Test
  void timezones_severalDevices_isThatOfTheOneUsedLast() {
    String owner = recipient();
    String without = recipient();
    var _ = register(owner, "Europe/Berlin");
    var _ = register(owner, "Asia/Tokyo");
    var _ = register(owner, "");
    var _ = register(without, "");
    Map<String, ZoneId> zones =
        FIXTURE.database.read(tx -> new StoredDeviceTimezones().of(tx, List.of(owner, without)));
    assertThat(zones).isEqualTo(Map.of(owner, ZoneId.of("Asia/Tokyo")));
  }

  @Test
  void merge_devices_belongToTheLogin() {
    String anonymous = anonymous();
    String login = recipient();
    String token = token();
    String reassigned = token();
    var _ = FIXTURE.register(anonymous, token);
    var _ = FIXTURE.register(anonymous, reassigned);
    String stranger = recipient();
    var _ = FIXTURE.register(stranger, reassigned);
    assertThat(FIXTURE.merge.page(anonymous, login)).isFalse();
    assertThat(FIXTURE.tokens(login)).containsExactly(token);
    assertThat(FIXTURE.tokens(stranger)).containsExactly(reassigned);
    assertThat(FIXTURE.targets.find(anonymous, Channel.PUSH)).isEmpty();
    assertThat(rows(anonymous)).isZero();
    assertThatThrownBy(() -> FIXTURE.register(anonymous, token))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("identity.moved"));
  }

  /// The process ended after the device was given to the login; the login removed it; then the step is repeated.
  @Test
  void merge_repeatedAfterTheLoginRemovedTheDevice_doesNotReturnIt() {
    String anonymous = anonymous();
    String login = recipient();
    RegisteredDevice device = FIXTURE.register(anonymous, token());
    FIXTURE.database.transact(
        tx ->
            tx.sql("UPDATE device_claim SET owner = ? WHERE home = ? AND device_id = ?")
                .set(login)
                .set(Home.of(device.id()))
                .set(device.id())
                .update());
    var _ = FIXTURE.register(login, device.address().token());
    FIXTURE.devices.delete(login, device.id(), "");
    assertThat(FIXTURE.merge.page(anonymous, login)).isFalse();
    assertThat(rows(login)).isZero();
    assertThat(rows(anonymous)).isZero();
  }

  @Test
  void merge_byTwoProcesses_movesOnce() throws Exception {
    String anonymous = anonymous();
    String login = recipient();
    List<String> tokens = IntStream.range(0, 10).mapToObj(_ -> token()).toList();
    tokens.forEach(token -> FIXTURE.register(anonymous, token));
    Runnable merge = () -> FIXTURE.merge.page(anonymous, login);
    inParallel(List.of(merge, merge, merge));
    assertThat(FIXTURE.tokens(login)).containsExactlyInAnyOrderElementsOf(tokens);
    assertThat(rows(anonymous)).isZero();
  }

  private static RegisteredDevice register(String owner, String timezone) {
    FIXTURE.advance(Duration.ofSeconds(1));
    return FIXTURE.devices.register(
        owner, android(token()).toBuilder().setTimezone(timezone).build());
  }

  private static List<String> recipientsOfOneShard() {
    String first = recipient();
    int shard = FIXTURE.database.shards().shardOf(Home.of(first));
    List<String> owners = new ArrayList<>(List.of(first));
    while (owners.size() < 3) {
      String next = recipient();
      if (FIXTURE.database.shards().shardOf(Home.of(next)) == shard) {
        owners.add(next);
      }
    }
    return owners;
  }

  private static int rows(String owner) {
    return FIXTURE
        .database
        .read(
            tx ->
                tx.sql("SELECT count(*) FROM device WHERE home = ? AND owner = ?")
                    .set(Home.of(owner))
                    .set(owner)
                    .first(row -> row.intAt(1)))
        .orElseThrow();
  }

  static void inParallel(List<Runnable> actions) throws InterruptedException {
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads =
        actions.stream()
            .map(
                action ->
                    Thread.ofVirtual()
                        .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
                        .start(action))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
