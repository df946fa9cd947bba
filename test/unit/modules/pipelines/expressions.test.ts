import { expect, test } from "bun:test";
import { evaluateExpression } from "../../../../src/modules/ci/ci-config/rules/expressions.ts";
import { Patterns } from "../../../../src/modules/ci/ci-config/rules/patterns.ts";

const variables = new Map([
  ["REF", "main"],
  ["SOURCE", "push"],
  ["EMPTY", ""],
  ["PATTERN", "/^ma/"],
  ["YES", "true"],
  ["BLANK", "  "],
  ["PATH", "group/app"],
  ["SLASHED", "/^group\\/app$/"],
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
  ["!$UNSET", true],
  ["!$REF", false],
  ['!($REF == "main")', false],
  ['!$UNSET && $REF == "main"', true],
  ['$YES == true && $REF == "main"', true],
  ["$YES != true", false],
  ["$REF == true", false],
  // An unset variable is an empty text for a pattern.
  ["$UNSET =~ /^$/", true],
  ["$UNSET !~ /x/", true],
  ["$REF =~ $UNSET", false],
  ["$REF !~ $UNSET", true],
  // A text on the right that is no pattern has to contain the left side.
  ['$REF =~ "the main one"', true],
  ['$REF =~ "mai"', false],
  ['$UNSET =~ "anything"', true],
  ["$REF =~ $REF", true],
  ['$REF =~ "/(/"', false],
  ["$PATH =~ /^group\\/app/", true],
  ["$PATH =~ $SLASHED", true],
  // An empty text is true for `&&` and `||`, as in the platform's language.
  ["$EMPTY && $REF", true],
  ["$EMPTY || $REF", false],
  ["$UNSET || $REF", true],
  ["$BLANK", false],
  ['("side" || "main") == "side"', true],
  ['$REF == "main" == true', true],
])("%s is %p", (expression, expected) => {
  expect(evaluateExpression(expression, variables, new Patterns())).toBe(expected);
});

test.each([
  "",
  "$REF ==",
  '== "x"',
  '$REF "x"',
  "($REF",
  "$REF =~ /(/",
  "$REF & $REF",
  "$" + "{REF}",
  "$REF == (",
  "$REF)",
  "12345",
  "!",
  `${"!".repeat(99)}$REF`,
  "$A =~ /a/x",
])("%p is no expression", (expression) => {
  expect(() => evaluateExpression(expression, variables, new Patterns())).toThrow("invalid expression syntax");
});
