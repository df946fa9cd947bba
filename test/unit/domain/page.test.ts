import { expect, test } from "bun:test";
import { pageOfAll, reversed } from "../../../src/domain/page.ts";

test("the pages of a reversed list are those of its copy, beyond its end, too", () => {
  const all = Array.from({ length: 8 }, (_, at) => at);
  for (const perPage of [1, 3, 8, 20]) {
    for (let page = 1; page < 20; page += 1) {
      const request = { kind: "offset", page, perPage } as const;
      expect(pageOfAll(reversed(all), request)).toEqual(pageOfAll(all.toReversed(), request));
    }
  }
});
