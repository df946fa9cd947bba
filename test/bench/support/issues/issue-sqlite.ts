import { Database, type SQLQueryBindings } from "bun:sqlite";
import type { IssueFilters, IssueScope } from "../../../../src/modules/planning/issues/index.ts";
import type { Asking, Instance } from "../../../support/checks/issue-scan.ts";

const schema = `
create table issues (id integer primary key, iid int, project_id int, closed int, author_id int, milestone_id int,
  epic_id int, confidential int, weight int, created_at text, updated_at text, title text, description text);
create table assignees (issue_id int, user_id int, primary key (user_id, issue_id)) without rowid;
create table issue_labels (issue_id int, label_id int, primary key (label_id, issue_id)) without rowid;
create table labels (id integer primary key, title text);
create table milestones (id integer primary key, title text, state text, start_date text, due_date text,
  source text);
create table awards (user_id int, name text, issue_id int, primary key (user_id, name, issue_id)) without rowid;
create table readable (user_id int, project_id int, level int, primary key (user_id, project_id)) without rowid;
create table groups_of (group_id int, project_id int, primary key (group_id, project_id)) without rowid;`;

const indexes = `
create index by_project on issues (project_id, closed);
create index by_author on issues (author_id);
create index by_milestone on issues (milestone_id);
create index by_epic on issues (epic_id) where epic_id is not null;
create index by_iid on issues (iid);
create index by_created on issues (created_at);
create index by_updated on issues (updated_at);
create index by_weight on issues (weight);
create index by_confidential on issues (confidential) where confidential = 1;
create index assignees_of on assignees (issue_id);
create index labels_of on issue_labels (issue_id);
create index label_titles on labels (title);
create index milestone_titles on milestones (title);
analyze;`;

/** The same instance in memory, with an index for everything that is asked; what somebody may read is worked out before. */
export class SqliteIssues {
  readonly #database = new Database(":memory:");

  constructor(instance: Instance, groupsOf: ReadonlyMap<number, readonly number[]>) {
    const database = this.#database;
    database.run(schema);
    const insertInto = (table: string, columns: number) =>
      database.prepare(`insert or ignore into ${table} values (${Array(columns).fill("?").join()})`);
    const [issue, assignee, label] = [
      insertInto("issues", 13),
      insertInto("assignees", 2),
      insertInto("issue_labels", 2),
    ];
    const [title, milestone] = [insertInto("labels", 2), insertInto("milestones", 6)];
    const [award, place] = [insertInto("awards", 3), insertInto("groups_of", 2)];
    database.transaction(() => {
      for (const each of instance.issues) {
        const { id, milestone_id, epic_id, weight, title: its, description } = each;
        const numbers = [id, each.iid, each.project_id, each.state === "closed" ? 1 : 0, each.author_id];
        const filed = [milestone_id, epic_id, each.confidential ? 1 : 0, weight];
        issue.run(...numbers, ...filed, each.created_at, each.updated_at, its, description);
        for (const userId of each.assignee_ids) assignee.run(id, userId);
        for (const labelId of each.label_ids) label.run(id, labelId);
      }
      for (const each of instance.labels) title.run(each.id, each.title);
      for (const each of instance.milestones) {
        const { id, state, start_date, due_date, source_type, source_id } = each;
        milestone.run(id, each.title, state, start_date, due_date, `${source_type} ${source_id}`);
      }
      for (const each of instance.awards) award.run(each.user_id, each.name, each.awardable_id);
      for (const [projectId, ids] of groupsOf) for (const id of ids) place.run(id, projectId);
    })();
    database.run(indexes);
  }

  /** Says which projects somebody reads issues of, with the level there. */
  setReadable(userId: number, levels: ReadonlyMap<number, number>): void {
    const insert = this.#database.prepare("insert or replace into readable values (?, ?, ?)");
    this.#database.transaction(() => {
      for (const [projectId, level] of levels) insert.run(userId, projectId, level);
    })();
  }

  count(asking: Asking, filters: IssueFilters, scope: IssueScope): { all: number; closed: number } {
    const { where, bindings } = conditions(asking, filters, scope);
    const query = `select count(*) as "all", coalesce(sum(closed), 0) as closed from issues i where ${where.join(" and ")}`;
    return this.#database.query<{ all: number; closed: number }, SQLQueryBindings[]>(query).get(...bindings) as never;
  }
}

function conditions({ user, access }: Asking, filters: IssueFilters, scope: IssueScope) {
  const where: string[] = [];
  const bindings: SQLQueryBindings[] = [];
  const add = (condition: string, ...values: SQLQueryBindings[]) => {
    where.push(condition);
    bindings.push(...values);
  };
  const { id } = user;
  if (scope === "everywhere") add("project_id in (select project_id from readable where user_id = ?)", id);
  else if ("project" in scope) {
    add("project_id = (select project_id from readable where user_id = ? and project_id = ?)", id, scope.project.id);
  } else {
    const readable = "select project_id from readable where user_id = ?";
    add(
      `project_id in (select project_id from groups_of where group_id = ? and project_id in (${readable}))`,
      scope.group.id,
      id,
    );
  }
  if (!user.is_admin) {
    const own = "author_id = ? or exists (select 1 from assignees a where a.issue_id = i.id and a.user_id = ?)";
    const planned = "select project_id from readable where user_id = ? and level >= 15";
    add(`(confidential = 0 or ${own} or project_id in (${planned}))`, id, id, id);
    add("author_id % 500 <> 0");
  }
  const assigned = (userId: number) => add("i.id in (select issue_id from assignees where user_id = ?)", userId);
  const titled = (title: string, not = "") =>
    add(
      `i.id ${not} in (select issue_id from issue_labels where label_id in (select id from labels where title = ?))`,
      title,
    );
  const { labels = [], milestone, milestone_id, assignee_id, epic_id, my_reaction_emoji, iids, not = {} } = filters;
  if (filters.scope === "created_by_me") add("author_id = ?", id);
  if (filters.scope === "assigned_to_me") assigned(id);
  for (const title of labels) {
    if (title === "None") add("not exists (select 1 from issue_labels l where l.issue_id = i.id)");
    else titled(title);
  }
  if (milestone === "None") add("milestone_id is null");
  else if (milestone !== undefined) add("milestone_id in (select id from milestones where title = ?)", milestone);
  if (milestone_id === "Started") {
    add("milestone_id in (select id from milestones where state = 'active' and start_date <= ?)", access.today);
  } else if (milestone_id === "Upcoming") {
    const nearest =
      "select min(due_date) from milestones n where n.source = m.source and n.state = 'active' and n.due_date > ?";
    add(
      `milestone_id in (select id from milestones m where state = 'active' and due_date = (${nearest}))`,
      access.today,
    );
  }
  if (filters.author_id !== undefined) add("author_id = ?", filters.author_id);
  if (assignee_id === "none") add("not exists (select 1 from assignees a where a.issue_id = i.id)");
  else if (assignee_id === "any") add("exists (select 1 from assignees a where a.issue_id = i.id)");
  else if (assignee_id !== undefined) assigned(assignee_id);
  if (epic_id === "any") add("epic_id is not null");
  else if (epic_id !== undefined) add("epic_id = ?", epic_id);
  if (my_reaction_emoji === "None") add("i.id not in (select issue_id from awards where user_id = ?)", id);
  else if (my_reaction_emoji !== undefined) {
    add("i.id in (select issue_id from awards where user_id = ? and name = ?)", id, my_reaction_emoji);
  }
  if (iids !== undefined) add(`iid in (${iids.join()})`);
  if (filters.created_after !== undefined) add("created_at >= ?", filters.created_after);
  if (filters.created_before !== undefined) add("created_at <= ?", filters.created_before);
  if (filters.updated_after !== undefined) add("updated_at >= ?", filters.updated_after);
  if (filters.updated_before !== undefined) add("updated_at <= ?", filters.updated_before);
  if (filters.confidential !== undefined) add("confidential = ?", filters.confidential ? 1 : 0);
  if (filters.weight !== undefined) add("weight = ?", filters.weight);
  for (const title of not.labels ?? []) titled(title, "not");
  if (not.author_id !== undefined) add("author_id <> ?", not.author_id);
  if (not.milestone !== undefined) {
    add("(milestone_id is null or milestone_id not in (select id from milestones where title = ?))", not.milestone);
  }
  return { where, bindings };
}
