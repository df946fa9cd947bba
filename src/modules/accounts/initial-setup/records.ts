import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/** One document, id 1, that says how far the first start came. */
export const InitialSetupRecord = record({
  id: field.oneOf(1),
  root_user_id: field.whole,
  /** The root password is hashed after the server listens; until then it has to be set again after a crash. */
  is_root_password_set: field.flag,
});
export type InitialSetupRecord = RecordOf<typeof InitialSetupRecord>;

export const initialSetup = collection("initial-setup", InitialSetupRecord, { sequence: undefined });
