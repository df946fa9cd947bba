import { parseTrustedProxies, type TrustedProxies } from "../domain/trusted-proxies.ts";
import {
  oneOf,
  parseExternalUrl,
  parseFolder,
  parseHost,
  parsePort,
  parseSwitch,
  parseWholeNumber,
} from "./parsers.ts";
import type { DefaultedSetting, Setting } from "./setting.ts";

export const host: DefaultedSetting<string> = {
  flag: "host",
  placeholder: "address",
  help: "address to listen on; 0.0.0.0 for all addresses of this machine",
  expected: "a host name or an address",
  example: "127.0.0.1",
  default: "127.0.0.1",
  parse: parseHost,
};

export const port: DefaultedSetting<number> = {
  flag: "port",
  short: "p",
  placeholder: "number",
  help: "port to listen on; 0 chooses a free one",
  expected: "a number from 0 to 65535",
  example: "8080",
  default: "8080",
  parse: parsePort,
};

export const socket: Setting<string> = {
  flag: "socket",
  placeholder: "file",
  help: "socket file to listen on, in place of an address and a port",
  expected: "the path of a file",
  example: "/run/outpost/outpost.sock",
  parse: parseFolder,
};

export const tlsCert: Setting<string> = {
  flag: "tls-cert",
  placeholder: "file",
  help: "PEM certificate chain for HTTPS; read again when it changes",
  expected: "the path of a file",
  example: "/etc/outpost/server.pem",
  parse: parseFolder,
};

export const tlsKey: Setting<string> = {
  flag: "tls-key",
  placeholder: "file",
  help: "PEM private key of the certificate",
  expected: "the path of a file",
  example: "/etc/outpost/server.key",
  parse: parseFolder,
};

export const tlsSelfSigned: DefaultedSetting<boolean> = {
  flag: "tls-self-signed",
  placeholder: "true",
  help: "HTTPS with a self-signed certificate, for demos",
  expected: "true or false",
  example: "true",
  isSwitch: true,
  default: "false",
  parse: parseSwitch,
};

export const externalUrl: Setting<string> = {
  flag: "external-url",
  placeholder: "url",
  help: "base URL in answers and mails; by default the request's origin, in mails host and port",
  expected: "an http or https URL without a query",
  example: "https://outpost.example",
  parse: parseExternalUrl,
};

export const trustedProxies: Setting<TrustedProxies> = {
  flag: "trusted-proxies",
  placeholder: "list",
  help: "proxies to trust for X-Forwarded-… headers: addresses, ranges, unix",
  expected: "comma-separated addresses, ranges such as 10.0.0.0/8, or unix",
  example: "127.0.0.1,10.0.0.0/8",
  parse: parseTrustedProxies,
};

export const networkConnections: DefaultedSetting<number> = {
  flag: "network-connections",
  placeholder: "number",
  help: "concurrent connections of one IPv4 address or IPv6 /64; 0 for a quarter of the open-file limit",
  expected: "a whole number up to 1000000",
  example: "500",
  default: "0",
  parse: parseWholeNumber(0, 1_000_000),
};

export const metricsAccesses = ["local", "administrators"] as const;

export const metricsAccess: DefaultedSetting<(typeof metricsAccesses)[number]> = {
  flag: "metrics-access",
  placeholder: "name",
  help: "who may read /-/metrics: local (also this machine without a token) or administrators",
  expected: `one of ${metricsAccesses.join(", ")}`,
  example: "administrators",
  default: "local",
  parse: oneOf(metricsAccesses),
};
