import { unauthenticated } from "../../../../src/domain/failure.ts";
import { type BodyRule, bodyBytesMax, textBytesMax } from "../../../../src/http/body/body.ts";
import type { Sender } from "../../../../src/http/limits/sender.ts";
import { Load } from "../../../../src/modules/kernel/request-load.ts";
import { FakeClock } from "../../../support/fixtures/fake-clock.ts";

export const known: Sender = {
  address: "192.0.2.1",
  isStranger: false,
  load: new Load(),
  clock: new FakeClock(),
  onAnswered: (end) => end(),
};
export const stranger: Sender = { ...known, isStranger: true };

/** As of an operation that takes files. */
export function ruleFor(sender: Sender): BodyRule {
  return { sender, formBytesMax: textBytesMax, multipartBytesMax: bodyBytesMax, refuseStranger: unauthenticated };
}
