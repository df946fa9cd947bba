import { expect, test } from "bun:test";
import { environmentSlugOf, tierOf } from "../../../../src/modules/ci/pipelines/jobs/environment-names.ts";
import { groupNameOf } from "../../../../src/modules/ci/pipelines/jobs/group-name.ts";

test.each([
  ["rspec", "rspec"],
  ["rspec 1/3", "rspec"],
  ["rspec 1 / 3", "rspec"],
  ["rspec:1:3", "rspec"],
  ["rspec: [linux, 18]", "rspec"],
  ["rspec: [linux, [18]]", "rspec"],
  ["rspec: [linux] 1/3", "rspec"],
  ["rspec 13", "rspec 13"],
  ["rspec[1]", "rspec[1]"],
  ["1/3", "1/3"],
  ["build a b 2/2 ", "build a b"],
])("the jobs of the group of %p are called %p", (name, group) => {
  expect(groupNameOf(name)).toBe(group);
});

test.each([
  ["production", "production"],
  ["staging-", "staging"],
  ["review/main", /^review-main-[0-9a-z]{6}$/],
  ["Production", /^production-[0-9a-z]{6}$/],
  ["1st", /^env-1st-[0-9a-z]{6}$/],
  ["a--b", /^a-b-[0-9a-z]{6}$/],
  ["foo-abcdefghijklmnopqrstuvwxyz", /^foo-abcdefghijklm-[0-9a-z]{6}$/],
  ["0123456789012345-abcdefgh", /^env-0123456789012-[0-9a-z]{6}$/],
])("the slug of the environment %p is %p", (name, slug) => {
  expect(environmentSlugOf(name)).toEqual(typeof slug === "string" ? slug : expect.stringMatching(slug));
});

test("two environments that differ in signs alone have two slugs", () => {
  expect(environmentSlugOf("review/a")).not.toBe(environmentSlugOf("review-/a"));
  expect(environmentSlugOf("review/a")).toBe(environmentSlugOf("review/a"));
});

test.each([
  ["review/main", "development"],
  ["QA", "testing"],
  ["pre", "staging"],
  ["live", "production"],
  ["prd-eu", "production"],
  ["blue", "other"],
])("the tier of the environment %p is %p", (name, tier) => {
  expect(tierOf(name)).toBe(tier);
});
