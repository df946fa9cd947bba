import { parseTrustedProxies, type TrustedProxies } from "../domain/trusted-proxies.ts";
import { oneOf, parseExternalUrl, parseFolder, parseHost, parsePort, parseSwitch } from "./parsers.ts";
import type { DefaultedSetting, Setting } from "./setting.ts";

export const host: DefaultedSetting<string> = {
  flag: "host",
  placeholder: "address",
  help: "address to listen on; 0.0.0.0 for every one of this machine",
  expected: "a host name or an address",
  example: "127.0.0.1",
  default: "127.0.0.1",
  parse: parseHost,
};

export const port: DefaultedSetting<number> = {
  flag: "port",
  short: "p",
  placeholder: "number",
  help: "port to listen on; 0 picks a free one",
  expected: "a number from 0 to 65535",
  example: "8080",
  default: "8080",
  parse: parsePort,
};

export const socket: Setting<string> = {
  flag: "socket",
  placeholder: "file",
  help: "socket file to listen on, in place of address and port",
  expected: "the path of a file",
  example: "/run/outpost/outpost.sock",
  parse: parseFolder,
};

export const tlsCert: Setting<string> = {
  flag: "tls-cert",
  placeholder: "file",
  help: "certificate for HTTPS, PEM, with those between it and its root; read again when it changes",
  expected: "the path of a file",
  example: "/etc/outpost/server.pem",
  parse: parseFolder,
};

export const tlsKey: Setting<string> = {
  flag: "tls-key",
  placeholder: "file",
  help: "its private key, PEM",
  expected: "the path of a file",
  example: "/etc/outpost/server.key",
  parse: parseFolder,
};

export const tlsSelfSigned: DefaultedSetting<boolean> = {
  flag: "tls-self-signed",
  placeholder: "true",
  help: "HTTPS with a certificate of its own making, for demos",
  expected: "true or false",
  example: "true",
  isSwitch: true,
  default: "false",
  parse: parseSwitch,
};

export const externalUrl: Setting<string> = {
  flag: "external-url",
  placeholder: "url",
  help: "base of the addresses in answers, when clients reach the server by another one",
  expected: "an http or https address without query",
  example: "https://outpost.example",
  parse: parseExternalUrl,
};

export const trustedProxies: Setting<TrustedProxies> = {
  flag: "trusted-proxies",
  placeholder: "list",
  help: "proxies whose X-Forwarded-… headers count: addresses, ranges as 10.0.0.0/8, unix",
  expected: "addresses and ranges such as 10.0.0.0/8, or unix, with commas between them",
  example: "127.0.0.1,10.0.0.0/8",
  parse: parseTrustedProxies,
};

export const metricsAccesses = ["local", "administrators"] as const;

export const metricsAccess: DefaultedSetting<(typeof metricsAccesses)[number]> = {
  flag: "metrics-access",
  placeholder: "name",
  help: "who may read /-/metrics: local (administrators, and this machine without a token) or administrators alone",
  expected: `one of ${metricsAccesses.join(", ")}`,
  example: "administrators",
  default: "local",
  parse: oneOf(metricsAccesses),
};
