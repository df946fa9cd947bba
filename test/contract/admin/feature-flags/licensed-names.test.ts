import { expect, test } from "bun:test";
import { shippedDefinitions } from "../../../../src/modules/admin/feature-flags/index.ts";
import { startWorld } from "../../../support/fixtures/world.ts";
import { flagsOf } from "./setting.ts";

const premium = flagsOf(await startWorld({ edition: "premium" }));
const community = flagsOf(await startWorld({ edition: "community" }));

test.each(["audit_events", "epics", "group_wikis", "admin_audit_log"])(
  "%s is a licensed feature: refused from premium on, unless forced",
  async (name) => {
    expect(await premium.refusal(name, { value: true })).toBe(
      `400 Bad request - The '${name}' is a licensed feature name, and thus it cannot be used as a feature flag name. Use \`rails console\` to set this feature flag state.`,
    );
    expect((await premium.set(name, { value: true, force: true })).state).toBe("on");
    expect((await community.set(name, { value: true })).state).toBe("on");
  },
);

test("an unknown name needs no force", async () => {
  expect((await premium.set("something_else", { value: "5" })).definition).toBeNull();
});

test("no flag that is shipped has the name of a licensed feature", async () => {
  for (const { name } of shippedDefinitions) expect((await premium.set(name, { value: true })).state).toBe("on");
});
