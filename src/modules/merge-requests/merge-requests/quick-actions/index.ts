export {
  idOfNew,
  interpretMergeRequestText,
  withUpdates,
  writeOtherUpdates,
  writeQuickActions,
} from "./service.ts";
