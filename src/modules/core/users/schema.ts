import { type Static, type TObject, Type } from "@sinclair/typebox";
import {
  boolean,
  dateTime,
  idInPath,
  integer,
  nullable,
  oneOf,
  optional,
  searchText,
  text,
  upload,
} from "../../../domain/parameters.ts";

import { customAttributeFilters, customAttributesField, withCustomAttributes } from "../custom-attributes/index.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
const nullableDateTime = () => Type.Union([Type.String({ format: "date-time" }), Type.Null()]);

/** users-and-auth 4.1: entries of lists for everybody, nested authors and members. */
export const BasicUser = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    state: Type.String(),
    locked: Type.Boolean(),
    avatar_url: Type.String(),
    web_url: Type.String(),
  },
  { $id: "BasicUser" },
);

/** 4.2: one user, as any signed-in caller sees them. A private profile leaves out the optional fields. */
export const User = Type.Object(
  {
    ...BasicUser.properties,
    created_at: Type.Optional(Type.String({ format: "date-time" })),
    bio: Type.String(),
    location: nullableText(),
    public_email: nullableText(),
    skype: Type.String(),
    linkedin: Type.String(),
    twitter: Type.String(),
    discord: Type.String(),
    website_url: Type.String(),
    organization: nullableText(),
    job_title: Type.String(),
    pronouns: nullableText(),
    bot: Type.Boolean(),
    work_information: nullableText(),
    followers: Type.Optional(Type.Integer()),
    following: Type.Optional(Type.Integer()),
    is_followed: Type.Optional(Type.Boolean()),
    local_time: nullableText(),
  },
  { $id: "User" },
);

const Identity = Type.Object({
  provider: Type.String(),
  extern_uid: Type.String(),
  saml_provider_id: Type.Union([Type.Integer(), Type.Null()]),
});

/** 4.3: the own record. Fields of the paid tiers are optional here. */
export const OwnUser = Type.Object(
  {
    ...User.properties,
    last_sign_in_at: nullableDateTime(),
    confirmed_at: nullableDateTime(),
    last_activity_on: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    email: Type.String(),
    theme_id: Type.Integer(),
    color_scheme_id: Type.Integer(),
    projects_limit: Type.Integer(),
    current_sign_in_at: nullableDateTime(),
    identities: Type.Array(Identity),
    can_create_group: Type.Boolean(),
    can_create_project: Type.Boolean(),
    two_factor_enabled: Type.Boolean(),
    external: Type.Boolean(),
    private_profile: Type.Boolean(),
    commit_email: Type.String(),
    preferred_language: Type.String(),
    shared_runners_minutes_limit: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    extra_shared_runners_minutes_limit: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    scim_identities: Type.Optional(Type.Array(Type.Unknown())),
  },
  { $id: "OwnUser" },
);

/** 4.4: any record that an administrator sees; 4.5 adds six for a single one. */
export const UserWithAdmin = Type.Object(
  {
    ...OwnUser.properties,
    is_admin: Type.Boolean(),
    note: nullableText(),
    namespace_id: Type.Integer(),
    created_by: Type.Union([BasicUser, Type.Null()]),
    email_reset_offered_at: nullableDateTime(),
    is_auditor: Type.Optional(Type.Boolean()),
    using_license_seat: Type.Optional(Type.Boolean()),
    provisioned_by_group_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    highest_role: Type.Optional(Type.Integer()),
    current_sign_in_ip: Type.Optional(nullableText()),
    last_sign_in_ip: Type.Optional(nullableText()),
    sign_in_count: Type.Optional(Type.Integer()),
    plan: Type.Optional(nullableText()),
    trial: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    ...customAttributesField,
  },
  { $id: "UserWithAdmin" },
);

/** Parameters of the list (users-and-auth 5). */
export const ListUsers = Type.Object({
  username: optional(text({ description: "exact username, whatever its case" })),
  search: optional(searchText("part of name or username, or the whole public e-mail address")),
  active: optional(boolean({ description: "true: active people only" })),
  blocked: optional(boolean({ description: "true: blocked users only" })),
  external: optional(boolean({ description: "true: external users only" })),
  exclude_active: optional(boolean()),
  exclude_external: optional(boolean()),
  humans: optional(boolean({ description: "neither bots nor internal users" })),
  exclude_humans: optional(boolean()),
  exclude_internal: optional(boolean({ description: "no ghost, alert bot or support bot" })),
  without_project_bots: optional(boolean({ description: "no bots of projects and groups" })),
  created_after: optional(dateTime({ description: "inclusive" })),
  created_before: optional(dateTime({ description: "inclusive" })),
  public_email: optional(text({ description: "exact" })),
  order_by: optional(oneOf(["id", "name", "username", "created_at", "updated_at"])),
  sort: optional(oneOf(["asc", "desc"])),
  extern_uid: optional(text({ description: "administrators; with provider" })),
  provider: optional(text({ description: "administrators; with extern_uid" })),
  two_factor: optional(text({ description: "administrators: enabled or disabled" })),
  without_projects: optional(boolean({ description: "administrators: who has no project at all" })),
  admins: optional(boolean({ description: "administrators: only administrators" })),
  auditors: optional(boolean({ description: "administrators: only auditors" })),
  saml_provider_id: optional(integer({ description: "administrators" })),
  skip_ldap: optional(boolean({ description: "administrators" })),
  ...customAttributeFilters,
  ...withCustomAttributes,
});

const limit = { minimum: -2147483648, maximum: 2147483647 };

const clearable = () => optional(nullable(text()));

/** The parameters of both creation and modification (users-and-auth 7 and 8). */
const attributes = {
  admin: optional(boolean()),
  external: optional(boolean()),
  auditor: optional(boolean()),
  bio: clearable(),
  can_create_group: optional(boolean()),
  projects_limit: optional(integer(limit)),
  color_scheme_id: optional(integer(limit)),
  theme_id: optional(integer(limit)),
  private_profile: optional(nullable(boolean(), { deprecated: true, description: "the default; a 400 in v5" })),
  provider: optional(text()),
  extern_uid: optional(text()),
  group_id_for_saml: optional(integer({ description: "with provider group_saml" })),
  linkedin: clearable(),
  skype: clearable(),
  twitter: clearable(),
  discord: clearable(),
  location: clearable(),
  organization: clearable(),
  pronouns: clearable(),
  website_url: clearable(),
  job_title: clearable(),
  note: clearable(),
  public_email: clearable(),
  commit_email: clearable(),
  view_diffs_file_by_file: optional(boolean()),
  shared_runners_minutes_limit: optional(nullable(integer(limit))),
  extra_shared_runners_minutes_limit: optional(nullable(integer(limit))),
  avatar: optional(nullable(upload({ description: "an image of at most 200 KiB" }))),
};

export type UserAttributes = Static<TObject<typeof attributes>>;

/** Parameters of creation (users-and-auth 7). */
export const CreateUser = Type.Object({
  email: text(),
  password: optional(text()),
  reset_password: optional(boolean({ description: "mails a link to set the password" })),
  force_random_password: optional(boolean({ description: "the password is random and not shown to anybody" })),
  skip_confirmation: optional(boolean()),
  name: text(),
  username: text(),
  ...attributes,
});

/** Parameters of modification (users-and-auth 8). */
export const ModifyUser = Type.Object({
  id: idInPath("user id"),
  email: optional(text({ description: "changes at once only to a confirmed address of the user" })),
  password: optional(text({ description: "has to be changed at the next sign-in" })),
  skip_reconfirmation: optional(boolean({ description: "true: the address counts as confirmed" })),
  name: optional(text()),
  username: optional(text()),
  ...attributes,
});

export const UserInPath = Type.Object({ id: idInPath("user id") });

export const DeleteUser = Type.Object({
  ...UserInPath.properties,
  hard_delete: optional(boolean({ description: "true: what the user wrote, and groups they own alone, go too" })),
});
