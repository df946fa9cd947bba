import { expect, test } from "bun:test";
import { MailAccount, type MailSize } from "../../../src/modules/core/outbox/account.ts";
import { createRandom } from "../../support/checks/random.ts";

const limits = { mails: 40, bytes: 2000 };

/** The newest mails of a list that the limits allow, and everything from `unsent` on. */
function keptOf(list: readonly MailSize[], unsent: number): MailSize[] {
  let bytes = 0;
  const start = list.findLastIndex((mail, at) => {
    bytes += mail.bytes;
    return list.length - at > limits.mails || bytes > limits.bytes;
  });
  return list.filter((mail, at) => at > start || mail.id >= unsent);
}

test("property: an account keeps what a walk over all mails would keep, with mails rolled back and some to be sent", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = createRandom(seed);
    const account = new MailAccount(limits);
    let list: MailSize[] = Array.from({ length: random.integer(0, 60) }, (_, at) => ({
      id: at * 2 + 1,
      bytes: random.integer(1, 90),
    }));
    account.addOlder(list.toReversed());
    let last = list.at(-1)?.id ?? 0;
    let unsent = 0;
    let removals = 0;
    for (let step = 0; step < 400; step += 1) {
      const isRolledBack = random.fraction() < 0.2;
      for (let more = random.integer(1, 4), id = last + 1; more > 0; more -= 1, id += 1) {
        const mail = { id, bytes: random.integer(1, 90) };
        account.add(mail);
        if (isRolledBack) continue;
        list.push(mail);
        last = id;
      }
      if (random.fraction() < 0.3) unsent = random.integer(unsent, last + 1);
      account.removeAfter(last);
      account.moveExcess(unsent);
      const kept = keptOf(list, unsent);
      expect(account.firstRetained).toBe(kept[0]?.id);
      const excess = list.slice(0, list.length - kept.length);
      const excessBytes = excess.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(account.isExcessLarge).toBe(excess.length > limits.mails / 10 || excessBytes > limits.bytes / 10);
      if (!account.isExcessLarge) continue;
      account.removeExcess();
      list = kept;
      removals += 1;
    }
    expect(removals).toBeGreaterThan(5);
  }
});
