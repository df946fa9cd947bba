import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { unavailable } from "./failure.ts";

/** More than this many wait longer than anybody's patience. */
const waitingMax = 32;

/** Hashing takes a core for a twentieth of a second and 64 MiB: never more at once than there are cores. */
const hashWithLimit = limitConcurrency((password: string) => Bun.password.hash(password, "argon2id"), waitingMax);

/** An argon2id digest with its salt and costs in it. Throws 503 when too many wait for theirs already. */
export function hashPassword(password: string): Promise<string> {
  return hashWithLimit(password);
}

/** As `run`, but no more at once than there are cores, and 503 for whoever comes when `waitingMax` wait already. */
export function limitConcurrency<T>(
  run: (input: T) => Promise<string>,
  waitingMax: number,
): (input: T) => Promise<string> {
  const limit = pLimit(availableParallelism());
  return async (input) => {
    if (limit.pendingCount >= waitingMax) throw unavailable();
    return limit(() => run(input));
  };
}

const commonPasswords = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890
  12341234 11111111 111111111 1111111111 00000000 000000000 88888888 99999999 77777777 66666666 55555555 22222222
  87654321 987654321 0987654321 123123123 12121212 123321123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx qwertyuiop
  qwerty123 qwerty12 qwerty1234 qwertyui asdfghjkl asdfasdf zxcvbnm1 zxcvbnm123 iloveyou iloveyou1 sunshine princess
  football baseball superman batman123 trustno1 starwars whatever computer internet michelle jennifer corvette mercedes
  victoria elephant welcome1 welcome123 changeme changeme123 letmein1 letmein123 admin123 admin1234 administrator
  rootroot abcd1234 abc12345 abcdefgh abcdefg1 a1b2c3d4 aa123456 qwer1234 q1w2e3r4 samantha monkey123 dragon123
  master123 shadow123 liverpool arsenal1 chelsea1 blink182 pokemon1 babygirl butterfly chocolate basketball`.split(
    /\s+/,
  ),
);

/** Whether a password of 8 characters or more is among those that everybody tries first. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords.has(password.toLowerCase());
}
