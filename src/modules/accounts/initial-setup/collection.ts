import { collection } from "../../../store/index.ts";

/** One document, id 1, that says how far the first start came. */
export interface InstallationRecord {
  readonly id: 1;
  readonly root_user_id: number;
  /** The root password is hashed after the server listens; until then it has to be set again after a crash. */
  readonly is_root_password_set: boolean;
}

export const installation = collection<InstallationRecord>()("installation", {});
