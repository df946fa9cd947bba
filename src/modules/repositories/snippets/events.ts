import type { SignedInCaller } from "../../../domain/caller.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type SnippetRecord, snippets } from "./records.ts";

export const snippetEvents = recordEvents<SnippetRecord, SignedInCaller>("snippet", snippets);
