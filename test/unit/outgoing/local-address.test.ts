import { describe, expect, test } from "bun:test";
import { localityOf } from "../../../src/lib/outgoing/local-address.ts";

describe("an address is", () => {
  test.each([
    ["127.0.0.1", "localhost"],
    ["127.255.255.254", "localhost"],
    ["0.0.0.0", "localhost"],
    ["::1", "localhost"],
    ["::", "localhost"],
    ["10.1.2.3", "the local network"],
    ["172.16.0.1", "the local network"],
    ["172.31.255.255", "the local network"],
    ["192.168.1.1", "the local network"],
    ["100.64.0.1", "the local network"],
    ["224.0.0.1", "the local network"],
    ["255.255.255.255", "the local network"],
    ["fc00::1", "the local network"],
    ["fdff::1", "the local network"],
    ["fec0::1", "the local network"],
    ["ff02::1", "the local network"],
    ["169.254.169.254", "the link local network"],
    ["fe80::1", "the link local network"],
    ["fe80::1%eth0", "the link local network"],
  ] as const)("local: %s", (address, locality) => expect(localityOf(address)).toBe(locality));

  test.each([
    ["::ffff:127.0.0.1", "localhost"],
    ["::ffff:7f00:1", "localhost"],
    ["::127.0.0.1", "localhost"],
    ["64:ff9b::10.0.0.1", "the local network"],
    ["64:ff9b:1::a00:1", "the local network"],
    ["2002:7f00:1::", "localhost"],
    ["2002:a9fe:a9fe::1", "the link local network"],
    ["2001:0:7f00:1::", "localhost"],
    ["2001:0:808:808:0:0:80ff:fffe", "localhost"],
    ["2a00::5efe:192.168.0.1", "the local network"],
    ["2a00::200:5efe:10.0.0.1", "the local network"],
  ] as const)("local, in a form of IPv6: %s", (address, locality) => expect(localityOf(address)).toBe(locality));

  test.each([
    ...["8.8.8.8", "172.15.255.255", "172.32.0.1", "192.167.255.255", "100.63.0.1", "100.128.0.1", "169.253.0.1"],
    ...["2606:4700::1111", "::ffff:8.8.8.8", "2002:808:808::", "64:ff9b::8.8.8.8", "2a00::5efe:8.8.8.8"],
  ])("public: %s", (address) => expect(localityOf(address)).toBeUndefined());

  test("this machine's own", () => {
    expect(localityOf("203.0.113.7", ["203.0.113.7"])).toBe("localhost");
    expect(localityOf("64:ff9b::203.0.113.7", ["203.0.113.7"])).toBe("localhost");
    expect(localityOf("2606:4700::1", ["2606:4700:0::1%en0"])).toBe("localhost");
    expect(localityOf("203.0.113.8", ["203.0.113.7"])).toBeUndefined();
  });

  test.each(["", "localhost", "1.2.3", "0x7f.1"])("local for what is none: %j", (text) => {
    expect(localityOf(text)).toBe("the local network");
  });
});
