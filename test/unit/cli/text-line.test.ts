import { describe, expect, test } from "bun:test";
import { jsonLine } from "../../../src/cli/log/json-line.ts";
import { textLine } from "../../../src/cli/log/text-line.ts";

const time = new Date(2026, 2, 14, 12, 40, 26).toISOString();
const line = (fields: object, isColoured = false) =>
  textLine({ level: "info", time, fields, message: "request" }, isColoured);

describe("a request", () => {
  const request = { request_id: "01a2", method: "GET", status: 404, duration_ms: 0.7 };

  test("is status, method, path, time and user", () => {
    const unknown = { ...request, route: "unknown", path: "/api/v4/projects/1/merge_requests" };
    expect(line({ ...unknown, user_id: 1, username: "root" })).toBe(
      "12:40:26 404 GET /api/v4/projects/1/merge_requests 0.7 ms root\n",
    );
    expect(line({ ...request, route: "/projects/:id", status: 200 })).toBe("12:40:26 200 GET /projects/:id 0.7 ms\n");
    expect(line({ ...request, route: "/user", user_id: 7 })).toBe("12:40:26 404 GET /user 0.7 ms user 7\n");
  });

  test("shows the details that are logged beside", () => {
    expect(line({ ...request, route: "/user", ip_address: "127.0.0.1", user_agent: "a b" })).toBe(
      '12:40:26 404 GET /user 0.7 ms ip_address="127.0.0.1" user_agent="a b"\n',
    );
  });

  test("has a coloured status on a terminal", () => {
    expect(line({ ...request, route: "/user" }, true)).toContain("\u001b[33m404\u001b[39m");
    expect(line({ ...request, route: "/user", status: 500 }, true)).toContain("\u001b[31m500\u001b[39m");
  });
});

test("anything else is level, message and fields, on one line whatever they hold", () => {
  const fields = { operation: "GET /projects", text: "a\n\u001b[2J", token: "secret", none: undefined };
  expect(textLine({ level: "warn", time, fields, message: "the event loop is blocked" }, false)).toBe(
    '12:40:26 WARN the event loop is blocked operation="GET /projects" text="a\\n\\u001b[2J" token="[hidden]"\n',
  );
});

test("a line of JSON has level, time, fields and message, and no value of a secret", () => {
  const fields = { status: 200, none: undefined, password: "secret", nested: { a: 1 } };
  expect(jsonLine({ level: "info", time, fields, message: "a \n line" })).toBe(
    `{"level":"info","time":"${time}","status":200,"password":"[hidden]","nested":{"a":1},"msg":"a \\n line"}\n`,
  );
});
