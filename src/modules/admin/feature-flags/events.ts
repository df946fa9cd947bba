import type { SignedInCaller } from "../../../domain/caller.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type FeatureRecord, features } from "./records.ts";

export const featureEvents = recordEvents<FeatureRecord, SignedInCaller>("feature", features);
