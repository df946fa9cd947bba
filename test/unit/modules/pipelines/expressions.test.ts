import { expect, test } from "bun:test";
import { evaluateExpression } from "../../../../src/modules/ci/ci-config/rules/expressions.ts";
import { Patterns } from "../../../../src/modules/ci/ci-config/rules/patterns.ts";

const variables = new Map([
  ["REF", "main"],
  ["SOURCE", "push"],
  ["EMPTY", ""],
  ["PATTERN", "/^ma/"],
]);

test.each([
  ['$REF == "main"', true],
  ["$REF == 'side'", false],
  ['$REF != "side"', true],
  ["$REF", true],
  ["$EMPTY", false],
  ["$UNSET", false],
  ["$UNSET == null", true],
  ["$EMPTY == null", false],
  ["$REF != null", true],
  ["$REF =~ /^ma/", true],
  ["$REF =~ /^MA/", false],
  ["$REF =~ /^MA/i", true],
  ["$REF =~ $PATTERN", true],
  ["$REF !~ /^ma/", false],
  ["$UNSET =~ /x/", false],
  ['$REF == "main" && $SOURCE == "push"', true],
  ['$REF == "main" && $SOURCE == "web"', false],
  ['$REF == "side" || $SOURCE == "push"', true],
  // `&&` binds closer than `||`.
  ['$REF == "main" || $REF == "main" && $REF == "side"', true],
  ['($REF == "main" || $REF == "main") && $REF == "side"', false],
])("%s is %p", (expression, expected) => {
  expect(evaluateExpression(expression, variables, new Patterns())).toBe(expected);
});

test.each(["", "$REF ==", '== "x"', '$REF "x"', "($REF", "$REF =~ /(/", "$REF & $REF"])(
  "%p is no expression",
  (expression) => {
    expect(() => evaluateExpression(expression, variables, new Patterns())).toThrow("invalid expression syntax");
  },
);
