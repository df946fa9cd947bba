import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  groupId,
  hash,
  idInPath,
  integer,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  pathText,
  projectId,
  text,
  url,
} from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { arrayOf } from "../../kernel/array-schema.ts";
import { Milestone } from "../../planning/milestones/index.ts";
import { Commit, messageCharactersMax } from "../../repositories/repositories/index.ts";
import { linkTypes } from "./records.ts";

const time = () => Type.String({ format: "date-time" });
const address = (description: string) => Type.Optional(Type.String({ description }));

/** releases 4. */
export const ReleaseLinkEntity = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    direct_asset_url: Type.String({ description: "address that stays while the link changes" }),
    link_type: Type.String({ description: "other, runbook, image or package" }),
    external: Type.Boolean({ description: "whether the address is not below that of the project" }),
  },
  { $id: "ReleaseLink" },
);

const ReleaseMilestone = Type.Object(
  {
    ...Milestone.properties,
    issue_stats: Type.Object({
      total: Type.Integer({ description: "issues of the milestone" }),
      closed: Type.Integer({ description: "those of them that are closed" }),
    }),
  },
  { $id: "ReleaseMilestone" },
);

const plainFields = {
  name: Type.String(),
  tag_name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  created_at: time(),
  released_at: time(),
  upcoming_release: Type.Boolean({ description: "whether released_at is ahead" }),
};

/** releases 2, with `simple=true`. */
export const BasicRelease = Type.Object(plainFields, { $id: "BasicRelease" });

/** releases 2. Without the right to read the code, its parts are left out. */
export const Release = Type.Object(
  {
    ...plainFields,
    description_html: Type.Optional(Type.String()),
    author: Type.Optional(BasicUser),
    commit: Type.Optional(Commit),
    milestones: Type.Optional(arrayOf(ReleaseMilestone)),
    commit_path: Type.Optional(Type.String({ description: "path of the commit's page" })),
    tag_path: Type.Optional(Type.String({ description: "path of the tag's page" })),
    assets: Type.Object({
      count: Type.Integer({ description: "sources and links" }),
      sources: Type.Optional(arrayOf(Type.Object({ format: Type.String(), url: Type.String() }))),
      links: arrayOf(ReleaseLinkEntity),
    }),
    evidences: Type.Optional(
      arrayOf(
        Type.Object({
          sha: Type.String({ description: "SHA-256 of the evidence" }),
          filepath: Type.String({ description: "address of the evidence" }),
          collected_at: time(),
        }),
      ),
    ),
    _links: Type.Object({
      self: Type.String(),
      edit_url: address("page to change it, for those who may"),
      opened_issues_url: address("page of its open issues"),
      closed_issues_url: address("page of its closed issues"),
      opened_merge_requests_url: address("page of its open merge requests"),
      merged_merge_requests_url: address("page of its merged merge requests"),
      closed_merge_requests_url: address("page of its closed merge requests"),
    }),
  },
  { $id: "Release" },
);

export const InRelease = { id: projectId(), tag_name: pathText({ description: "with %2F for each slash" }) };
const withHtml = { include_html_description: optional(boolean({ description: "the description as HTML, too" })) };
const sort = optional(oneOf(["asc", "desc"], { description: "desc by default" }));

export const OneRelease = Type.Object({ ...InRelease, ...withHtml });
export const ListReleases = Type.Object({
  id: projectId(),
  order_by: optional(oneOf(["released_at", "created_at"], { description: "released_at by default" })),
  sort,
  ...withHtml,
  updated_before: optional(dateTime()),
  updated_after: optional(dateTime()),
});
export type ListReleases = Omit<Static<typeof ListReleases>, "id">;

export const ListGroupReleases = Type.Object({
  id: groupId(),
  sort,
  simple: optional(boolean({ description: "only the plain fields; false" })),
});

/** Clients send null for what they do not give. */
const orNull = <T extends Parameters<typeof nullable>[0]>(schema: T) => optional(nullable(schema));
const linkAttributes = {
  direct_asset_path: orNull(text({ description: "path below the release that leads to the address: /bin/linux" })),
  filepath: orNull(text({ deprecated: true, description: "direct_asset_path" })),
  link_type: orNull(oneOf(linkTypes, { description: "other by default" })),
};
const NewLink = hash({ name: text(), url: url(), ...linkAttributes });
export type NewLink = Static<typeof NewLink>;

/** The most milestones of a release. */
const milestonesMax = 100;
const attributes = {
  name: orNull(text({ description: "the name of the tag without it" })),
  description: orNull(longText({ description: "at most 1,048,576 characters" })),
  milestones: orNull(
    list(text(), {
      split: true,
      maxItems: milestonesMax,
      description: "titles; in premium and up those of the group, too",
    }),
  ),
  milestone_ids: orNull(list(integer(), { split: true, maxItems: milestonesMax, description: "in place of titles" })),
  released_at: orNull(dateTime({ description: "now by default; may lie ahead or back" })),
};

export const CreateRelease = Type.Object({
  id: projectId(),
  tag_name: text({ description: "an existing tag, or one that is made from ref" }),
  tag_message: orNull(text({ maxLength: messageCharactersMax, description: "makes an annotated tag" })),
  ref: orNull(text({ description: "branch, tag or commit that a new tag names" })),
  ...attributes,
  assets: orNull(hash({ links: optional(list(NewLink)) })),
  legacy_catalog_publish: orNull(boolean({ description: "changes nothing" })),
});
export type CreateRelease = Omit<Static<typeof CreateRelease>, "id">;

export const UpdateRelease = Type.Object({ ...InRelease, ...attributes });
export type UpdateRelease = Omit<Static<typeof UpdateRelease>, "id" | "tag_name">;

const InLink = { ...InRelease, link_id: idInPath("id of the link") };
export const linkParameters = {
  list: Type.Object(InRelease),
  one: Type.Object(InLink),
  create: Type.Object({ ...InRelease, name: text(), url: url(), ...linkAttributes }),
  update: Type.Object({ ...InLink, name: optional(text()), url: optional(url()), ...linkAttributes }),
};
export type LinkChange = Partial<NewLink>;
