import { describe, expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { isInRange, networkOf, parseIpAddress, parseIpRange } from "../../../src/lib/ip-address.ts";

const contains = (range: string, address: string) => {
  const [parsed, number] = [parseIpRange(range), parseIpAddress(address)];
  if (parsed === undefined || number === undefined) throw new Error(`${range} or ${address} was not read`);
  return isInRange(number, parsed);
};

describe("addresses", () => {
  test.each([
    ["0.0.0.0", 0xffff_0000_0000n],
    ["255.255.255.255", 0xffff_ffff_ffffn],
    ["::", 0n],
    ["::1", 1n],
    ["1::", 1n << 112n],
    ["::ffff:192.0.2.1", 0xffff_c000_0201n],
    ["2001:DB8::8:800:200C:417A", 0x2001_0db8_0000_0000_0008_0800_200c_417an],
    ["1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008n],
    ["1:2:3:4:5:6:1.2.3.4", 0x0001_0002_0003_0004_0005_0006_0102_0304n],
  ])("%s is read", (text, number) => {
    expect(parseIpAddress(text)).toBe(number);
  });

  test("an address is valid exactly if the system accepts it", () => {
    const piece = fc.constantFrom(
      "1",
      "255",
      "256",
      "01",
      ".",
      ":",
      "::",
      "ffff",
      "g",
      "fffff",
      "0",
      "1.2.3.4",
      "/",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 17 }), (pieces) => {
        const text = pieces.join("");
        expect([text, parseIpAddress(text) !== undefined]).toEqual([text, isIP(text) !== 0]);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("ranges", () => {
  test.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["10.0.0.0/8", "::ffff:10.0.0.1", true],
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.6", false],
    ["0.0.0.0/0", "203.0.113.1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::/0", "203.0.113.1", true],
    ["fd00::/8", "fd12::1", true],
    ["fd00::/8", "fe80::1", false],
    ["2001:db8::1", "2001:db8:0:0::1", true],
  ])("%s has %s: %p", (range, address, isIn) => {
    expect(contains(range, address)).toBe(isIn);
  });

  test.each(["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0/8", "host", "", "10.0.0.0/8/8"])("%p is none", (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  });
});

test("all addresses of one subscriber are one network", () => {
  expect(networkOf("192.0.2.1")).toBe("192.0.2.1");
  expect(networkOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(networkOf("2001:db8:0:1::5")).toBe(networkOf("2001:db8:0:1:ffff::1"));
  expect(networkOf("2001:db8:0:1::5")).not.toBe(networkOf("2001:db8:0:2::5"));
  expect(networkOf("fe80::1%eth0")).toBe(networkOf("fe80::2"));
});
