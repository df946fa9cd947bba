import type { components } from "../../api/generated.d.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { go, hrefOf, place } from "../../state/router.ts";
import { me } from "../../state/session.ts";

type User = components["schemas"]["BasicUser"] | components["schemas"]["UserWithAdmin"];

const filters = {
  all: ["Everybody", {}],
  active: ["Active", { active: true }],
  inactive: ["Not active", { exclude_active: true }],
  blocked: ["Blocked", { blocked: true }],
  admins: ["Administrators", { admins: true }],
  external: ["External", { external: true }],
  people: ["People", { humans: true }],
  bots: ["Bots", { exclude_humans: true }],
} as const;

const labels = Object.fromEntries(Object.entries(filters).map(([name, [label]]) => [name, label]));

/** All users. */
export default function People() {
  const { query } = place.value;
  const search = query.get("search") ?? "";
  const filter = choiceOf("filter", filters);
  const [, conditions] = filters[filter];
  const isSearched = search !== "" || filter !== "all";
  return (
    <>
      <div class="page-head">
        <h1>People</h1>
        {me().is_admin && (
          <FormButton
            isPrimary
            label="New person"
            method="post"
            path="/api/v4/users"
            fields={{
              name: "Name",
              username: "Username",
              email: "Email address",
              password: "Password",
              admin: "Administrator",
              external: "External",
            }}
            help={{ password: "Left empty: nobody knows it, and a sign-in link lets them choose one." }}
            action="Create"
            bodyOf={(values) => ({
              ...values,
              ...(values.password === undefined ? { force_random_password: true } : {}),
              skip_confirmation: true,
            })}
            done="The person is created"
            onDone={({ id }) => go(`/people/${id}`)}
          />
        )}
      </div>
      <search class="filters">
        <SearchField />
        <ChoiceField name="filter" label="Show" choices={labels} />
      </search>
      <KeysetList
        label="People"
        path="/api/v4/users"
        query={{ ...conditions, ...(search === "" ? {} : { search }), pagination: "keyset", per_page: 50 }}
        keyOf={({ id }) => id}
        empty={
          isSearched ? (
            <p>
              Nobody fits: <code>outpost user create ada ada@people.example</code>
            </p>
          ) : (
            <p>
              Nobody is here yet: <code>outpost user create ada ada@people.example</code>
            </p>
          )
        }
        columns={[
          {
            head: "Name",
            cell: (user) => (
              <a href={hrefOf(`/people/${user.id}`)}>
                <bdi>{user.name}</bdi>
              </a>
            ),
          },
          { head: "Username", cell: ({ username }) => <span class="long">{username}</span> },
          { head: "State", cell: ({ state }) => <State of={state} /> },
          { head: "Kind", cell: (user) => kindOf(user) },
          {
            head: "Last active",
            cell: (user) => ("last_activity_on" in user ? (user.last_activity_on ?? "never") : ""),
          },
          { head: "Since", cell: (user) => ("created_at" in user ? <Moment at={user.created_at} /> : "") },
        ]}
      />
    </>
  );
}

/** The state of an account. States other than active have a colour. */
export function State({ of: state }: { readonly of: string }) {
  return <span class={state === "active" ? "" : "tag warning"}>{state.replaceAll("_", " ")}</span>;
}

function kindOf(user: User): string {
  if (!("is_admin" in user)) return "";
  if (user.bot) return "bot";
  return [user.is_admin && "administrator", user.external && "external"].filter(Boolean).join(", ") || "user";
}
