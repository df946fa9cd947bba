import { theServer } from "../../../domain/caller.ts";
import { hashPassword } from "../../../domain/password.ts";
import { findUser, getUser, insertRootUser, updatePasswordDigest } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findAccessToken, generateToken, insertRootAccessToken } from "../access-tokens/index.ts";
import { initialSetup } from "./records.ts";

export interface InitialCredentials {
  readonly token: string | undefined;
  readonly password: string | undefined;
}

/**
 * `DATA/initial-root-credentials`. `write` must return only when the text is on disk: nobody could sign in without it.
 */
export interface CredentialsFile {
  read(): string | undefined;
  write(text: string): void;
}

export interface FirstStart {
  /** False when token and password were both given from outside. */
  readonly isCredentialsFileWritten: boolean;
  /** Hashes and stores the password: the server listens meanwhile. */
  setRootPassword(): Promise<void>;
}

const passwordLength = 24;

/**
 * Makes `root` (id 1) with a token of every scope in a store that has none yet (contract ground rules, "first
 * start"). Returns undefined on later starts, when `given` changes nothing; a first start that was cut off before the
 * password was stored is finished: with a new password where none is given, while the token in the file stays.
 */
export function createInitialAdmin(
  context: Context,
  given: InitialCredentials,
  credentialsFile: CredentialsFile,
): FirstStart | undefined {
  const { store, log } = context;
  const record = store.of(initialSetup).get(1);
  if (record !== undefined && given.token !== undefined && findAccessToken(store, given.token) === undefined) {
    log.warn({}, "OUTPOST_ROOT_TOKEN is no token of this store: only the first start of a store reads it");
  }
  if (record?.is_root_password_set === true) return undefined;
  const password = given.password ?? context.randomness.token(passwordLength);
  const finish = { setRootPassword: () => updateRootPassword(context, password) };
  if (record !== undefined) {
    if (given.password === undefined) credentialsFile.write(withPassword(credentialsFile.read(), password));
    return { ...finish, isCredentialsFileWritten: given.password === undefined };
  }
  const token = given.token ?? generateToken(context);
  const secrets = [
    ...(given.password === undefined ? [`password: ${password}`] : []),
    ...(given.token === undefined ? [`token: ${token}`] : []),
  ];
  if (secrets.length > 0) credentialsFile.write(`username: root\n${secrets.join("\n")}\n`);
  context.store.transact((tx) => {
    const root = insertRootUser(tx, context, theServer);
    insertRootAccessToken(tx, context, theServer, root, token);
    tx.insert(initialSetup, { id: 1, root_user_id: root.id, is_root_password_set: false });
  });
  return { ...finish, isCredentialsFileWritten: secrets.length > 0 };
}

/** The administrator whom the first start made. */
export function getInitialAdmin({ store }: Context): UserRecord {
  const record = store.of(initialSetup).get(1);
  if (record === undefined) throw new Error("the store had no first start");
  return getUser(store, record.root_user_id);
}

function withPassword(credentials: string | undefined, password: string): string {
  const lines = (credentials ?? "username: root\n").trimEnd().split("\n");
  return `${[...lines.filter((line) => !line.startsWith("password: ")), `password: ${password}`].join("\n")}\n`;
}

async function updateRootPassword(context: Context, password: string): Promise<void> {
  const digest = await hashPassword(password, context.passwordLife);
  const record = context.store.of(initialSetup).get(1);
  if (record === undefined) throw new Error("no initial setup to finish");
  context.store.transact((tx) => {
    // The first administrator may be deleted before the password is hashed.
    const root = findUser(context.store, record.root_user_id);
    if (root !== undefined) updatePasswordDigest(tx, root, digest);
    tx.update(initialSetup, { ...record, is_root_password_set: true });
  });
}
