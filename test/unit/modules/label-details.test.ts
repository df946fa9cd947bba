import { expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { presentLabelDetails } from "../../../src/modules/planning/labels/index.ts";
import type { LabelRecord } from "../../../src/modules/planning/labels/records.ts";

test("the description of a label counts as work each time that it is rendered", () => {
  const label = { id: 1, title: "bug", color: "#000000", description: ":coffee:".repeat(1_000) } as LabelRecord;
  const budget = new WorkBudget();
  withBudget(budget, () => {
    expect(presentLabelDetails(label).description_html).toBe("☕".repeat(1_000));
    presentLabelDetails(label);
  });
  expect(budget.steps).toBe(2 * 15 * 8_000);
});
