import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import { collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";

/** A reaction of a user to something (issues-labels-milestones-epics 4). */
export const AwardEmojiRecord = record({
  id: field.whole,
  awardable_type: field.text,
  awardable_id: field.whole,
  user_id: field.whole,
  /** The name without colons. */
  name: field.text,
  created_at: field.moment,
  updated_at: field.moment,
});
export type AwardEmojiRecord = RecordOf<typeof AwardEmojiRecord>;

export const awardEmoji = collection("award-emoji", AwardEmojiRecord, {
  indexes: {
    /** One at most, but for the ghost, who has taken over those of several users. */
    given: multi((award) => [awardOnKey(awardableOf(award), award.user_id, award.name)]),
    awardable: multi((award) => [subjectKey(awardableOf(award))]),
    user_id: multi((award) => [award.user_id]),
    /** All awards of the user on things of this type, and those of each name alone. */
    gift: multi((award) => [
      awardByUserKey(award.awardable_type, award.user_id),
      awardByUserKey(award.awardable_type, award.user_id, award.name),
    ]),
    id: ordered((award) => award.id),
  },
  references: { awardable_id: { byTypeIn: "awardable_type" }, user_id: "users" },
});

export function awardByUserKey(type: SubjectRef["type"], userId: number, name?: string): string {
  return name === undefined ? `${type} ${userId}` : `${type} ${userId} ${name}`;
}

export function awardOnKey(awardable: SubjectRef, userId: number, name: string): string {
  return `${subjectKey(awardable)} ${userId} ${name}`;
}

function awardableOf({ awardable_type, awardable_id }: AwardEmojiRecord): SubjectRef {
  return { type: awardable_type, id: awardable_id };
}

/** Other names of reactions → the names that they are stored by. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["+1", "thumbsup"],
  ["-1", "thumbsdown"],
]);

/** The name that a reaction is stored by. */
export function emojiName(given: string): string {
  return otherNames.get(given) ?? given;
}
