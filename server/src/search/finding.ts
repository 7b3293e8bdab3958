import type { Caller } from '../access/caller.ts'
import { inDeletedProject, projectsOf } from '../access/visibility.ts'
import { keptAs } from '../db/search-words.ts'
import { type Sql, sql } from '../db/sql.ts'
import { matches } from './condition.ts'
import { isPosted, type Kind, numberOf, projectOf, tableOf } from './kind.ts'
import { isPhrase, type Query, type Term } from './query.ts'

/** What is wanted of the rows that are found. */
export interface Wanted {
  /** what is selected of a row, under the name of its table */
  columns: Sql
  /** how many at most */
  limit: number
  /** all have smaller ids */
  idBound?: string | undefined
  /** none has a smaller id */
  idFrom?: string | undefined
  /** the projects to which the search is confined */
  within?: readonly string[] | undefined
  /** query of `id`: rows that are found too, such as that of a key */
  also?: Sql | undefined
}

/** So many postings that the caller may see are read and put in order; of more, the newest are looked for. */
const fewPostings = 1_000

/** The first rows of each of so many projects are merged; with more, the postings of all are walked. */
const fewProjects = 64

/** A word that may go on stands for so many words: the first ones in the order of their letters. */
export const mostBegun = 50

/** How many postings more than rows are read, where some may be out of date. */
const spare = 30

/** Which of several words is the least common is known of those that are in fewer things. */
const mostCounted = 500

/**
 * Query of the rows of a kind that match, newest first, for what the caller sees. A query that asks for no word to be there
 * (`isWalked`) is not for this: nothing but a walk past all rows answers it.
 *
 * - Who sees all: the postings of the word are walked newest first; of several words, those of the least common.
 * - Who sees some projects: up to 1,000 postings in these are read and put in order. No others are looked at, so the time of
 *   an answer tells nothing of them. Where there are more, the newest of each project are merged; of many projects, the
 *   postings of all are walked.
 * - Texts without postings: by an index of these few.
 */
export function rowsFound(kind: Kind, caller: Caller, query: Query, wanted: Wanted): Sql {
  const search = new Search(kind, caller, query, wanted)
  return search.statement()
}

/** So many things that match are looked up one by one, in whatever order and with whatever filters. */
const mostLookedUp = 4_000

/**
 * Query of one array of ids: of all things that the caller may see and that may match, where these are few; else null. For a
 * list with other filters or in another order. @see matches, which tells of each whether it does
 */
export function idsOfFew(
  kind: Kind,
  caller: Caller,
  query: Query,
  { within, also }: Pick<Wanted, 'within' | 'also'>,
): Sql {
  return new Search(kind, caller, query, { columns: sql.empty, limit: 0, within, also }).few()
}

/** Whether a query asks for no word to be there, so that nothing but a walk past all rows answers it. */
export const isWalked = (query: Query): boolean => query.some((terms) => terms.every(({ not }) => not))

/** The words that must be there whole, and those that may go on. */
function wordsOf(terms: readonly Term[]) {
  const there = terms.filter(({ not }) => !not)
  const whole = there.flatMap(({ words, begins }) => (begins ? words.slice(0, -1) : words))
  const beginning = there.filter(({ begins }) => begins).map(({ words }) => keptAs(words.at(-1) ?? ''))
  return { whole: [...new Set(whole.map(keptAs))], beginning }
}

/** A number that the planner is to know. */

const longestOf = (words: readonly string[]) => words.toSorted((one, other) => other.length - one.length)[0] ?? ''

class Search {
  readonly #kind: Kind
  readonly #caller: Caller
  readonly #query: Query
  readonly #wanted: Wanted
  readonly #projects: Sql | undefined
  readonly #ctes: Sql[] = []

  constructor(kind: Kind, caller: Caller, query: Query, wanted: Wanted) {
    this.#kind = kind
    this.#caller = caller
    this.#query = query
    this.#wanted = wanted
    this.#projects = projectsOf(caller, wanted.within)
  }

  statement(): Sql {
    const [table, limit] = [tableOf(this.#kind), this.#limit]
    if (this.#projects) this.#cte('mine', this.#projects)
    const streams = this.#query.flatMap((terms, i) => this.#streamsOf(terms, i))
    streams.push(this.#unposted())
    if (this.#wanted.also) streams.push(this.#rowsOf(this.#wanted.also, { matching: false }))
    const found = sql.join(
      streams.map((stream) => sql`(${stream})`),
      ' union ',
    )
    const named = this.#ctes.length === 0 ? sql.empty : sql`with recursive ${sql.join(this.#ctes, ', ')}`
    return sql`
      ${named} select ${this.#wanted.columns} from (
        select found.id from (${found}) found order by found.id desc limit ${limit}) page
      cross join lateral (
        select * from ${table} where ${table}.org_id = ${this.#orgId} and ${table}.id = page.id offset 0) ${table}
      order by page.id desc`
  }

  few(): Sql {
    const [table, most] = [tableOf(this.#kind), sql.literal(mostLookedUp + 1)]
    const mine = this.#projects ? this.#cte('mine', this.#projects) : undefined
    const streams = this.#query.map((terms, place) => {
      const { whole, beginning } = wordsOf(terms)
      const [first] = whole
      const word =
        first === undefined
          ? sql`any(array(select word from ${this.#cte(`begun_${place}`, this.#begun(longestOf(beginning), place))}))`
          : whole.length === 1
            ? sql`${first}::text`
            : sql`(select least.word from ${this.#cte(`least_${place}`, this.#leastCommon(whole))} least)`
      const which = this.#postingsOf(word)
      const posted =
        mine && first !== undefined
          ? this.#inEachOfMine(which, most)
          : sql`select postings.id, postings.project_id from postings where ${sql.all(which, mine && this.#inMine)}`
      // so many are read, and what they are is asked of no more
      return sql`select postings.id from (${posted} limit ${most}) postings`
    })
    const without = sql`${table}.org_id = ${this.#orgId} and ${table}.deleted_at is null and not (${isPosted(this.#kind)})`
    const inMine = mine && sql`${projectOf(this.#kind)} = any(array(select mine.project_id from mine))`
    const matching = mine ? undefined : matches(this.#kind, this.#query, { byIndex: true })
    streams.push(sql`select ${table}.id from ${table} where ${sql.all(without, inMine, matching)} limit ${most}`)
    if (this.#wanted.also) streams.push(this.#wanted.also)
    const all = sql.join(
      streams.map((stream) => sql`(${stream})`),
      ' union all ',
    )
    const named = this.#ctes.length === 0 ? sql.empty : sql`with recursive ${sql.join(this.#ctes, ', ')}`
    return sql`${named} select coalesce(array_agg(those.id), '{}') from (select found.id from (${all}) found limit ${most}) those
      having count(*) < ${most}`
  }

  get #orgId() {
    return this.#caller.orgId
  }

  get #limit() {
    return this.#wanted.limit
  }

  #cte(name: string, query: Sql): Sql {
    const named = sql.named(name)
    this.#ctes.push(sql`${named} as materialized (${query})`)
    return named
  }

  /** Queries of ids, each of the newest ones at least. */
  #streamsOf(terms: readonly Term[], place: number): Sql[] {
    const { whole, beginning } = wordsOf(terms)
    // what postings alone decide, but for those that are out of date
    const exact = terms.every((term) => !term.not && !isPhrase(term)) && (whole.length === 0 || beginning.length === 0)
    const [first] = whole
    if (first === undefined) {
      const begun = this.#cte(`begun_${place}`, this.#begun(longestOf(beginning), place))
      return this.#byBegun(begun, place, exact && beginning.length === 1)
    }
    if (whole.length === 1) return this.#byWord(sql`${first}::text`, whole, place, exact)
    const least = this.#cte(`least_${place}`, this.#leastCommon(whole))
    return this.#byWord(sql`(select ${least}.word from ${least})`, whole, place, exact)
  }

  /** Query of `word`: the one that is in the fewest things that the caller sees. */
  #leastCommon(words: readonly string[]): Sql {
    const [which, most] = [this.#postingsOf(sql`asked.word`), sql.literal(mostCounted)]
    const seen = this.#projects ? this.#inEachOfMine(which, most) : sql`select from postings where ${which}`
    return sql`select asked.word from unnest(${words}::text[]) asked (word)
      cross join lateral (select count(*) as things from (${seen} limit ${most}) those) counted
      order by counted.things limit 1`
  }

  /** Query of `word`: those that begin so, as far as the caller sees them. */
  #begun(start: string, place: number): Sql {
    const [name, end] = [sql.named(`next_${place}`), `${start}\u{10ffff}`]
    const kind = numberOf(this.#kind)
    const most = sql.literal(mostBegun)
    if (this.#projects === undefined) {
      const next = (bound: Sql) => sql`(select postings.word from postings where postings.org_id = ${this.#orgId}
        and postings.kind = ${kind} and ${bound} and postings.word < ${end} order by postings.word limit 1)`
      this.#ctes.push(sql`${name} (word) as (
        select ${next(sql`postings.word >= ${start}`)} union all
        select ${next(sql`postings.word > ${name}.word`)} from ${name} where ${name}.word is not null)`)
      return sql`select word from ${name} where word is not null limit ${most}`
    }
    // of words that are gone there may be very many: each is asked for by itself (hence offset 0)
    const isThere = sql`exists (select from postings where postings.org_id = ${this.#orgId} and postings.kind = ${kind}
      and postings.word = vocabulary.word and postings.project_id = mine.project_id offset 0)`
    return sql`select distinct known.word from mine cross join lateral (
        select distinct vocabulary.word from vocabulary where vocabulary.org_id = ${this.#orgId} and vocabulary.kind = ${kind}
          and vocabulary.project_id = mine.project_id and vocabulary.word >= ${start} and vocabulary.word < ${end}
          and ${isThere}
        order by vocabulary.word limit ${most}) known
      order by known.word limit ${most}`
  }

  /** The same postings, to be read newest first: by this name of its collation only the index that has them in order is found. */
  #newestOf(word: Sql): Sql {
    return sql`postings.org_id = ${this.#orgId} and postings.kind = ${numberOf(this.#kind)}
      and postings.word = ${word} collate "POSIX"`
  }

  #postingsOf(word: Sql): Sql {
    return sql`postings.org_id = ${this.#orgId} and postings.kind = ${numberOf(this.#kind)} and postings.word = ${word}`
  }

  /** Condition: the posting is in a project that the caller sees. */
  get #inMine() {
    return sql`postings.project_id = any(array(select mine.project_id from mine))`
  }

  /**
   * The same for one word. Each project is looked up by itself: PostgreSQL before 17 may take `any` for a filter, and read the
   * postings of all projects.
   */
  #inEachOfMine(which: Sql, most: Sql): Sql {
    return sql`select each.id, each.project_id from mine cross join lateral (
      select postings.id, postings.project_id from postings where ${which} and postings.project_id = mine.project_id
      limit ${most}) each`
  }

  /** Condition: the id is between the bounds; none without these. */
  #between(id: Sql): Sql | undefined {
    const { idBound, idFrom } = this.#wanted
    const bounds = [idBound !== undefined && sql`${id} < ${idBound}`, idFrom !== undefined && sql`${id} >= ${idFrom}`]
    return bounds.some(Boolean) ? sql.all(...bounds) : undefined
  }

  get #behind(): Sql | undefined {
    return this.#between(sql`postings.id`)
  }

  /** Condition: the thing of a posting has all these words. Each is asked by itself (hence offset 0), as few are asked. */
  #withAll(words: readonly string[], walked: Sql): Sql | undefined {
    if (words.length < 2) return undefined
    const each = words.map(
      (word) => sql`(${word} = ${walked} or exists (select from postings other where other.org_id = ${this.#orgId}
        and other.kind = ${numberOf(this.#kind)} and other.word = ${word} and other.project_id = postings.project_id
        and other.id = postings.id offset 0))`,
    )
    return sql.all(...each)
  }

  #byWord(word: Sql, all: readonly string[], place: number, exact: boolean): Sql[] {
    const which = (postings: Sql) => sql.all(postings, this.#behind, this.#withAll(all, word))
    const walked = this.#walked(which(this.#newestOf(word)))
    if (this.#projects === undefined) return [walked]
    const near = this.#inEachOfMine(sql.all(this.#postingsOf(word), this.#behind), sql.literal(fewPostings + 1))
    return this.#ofProjects(place, near, this.#withAll(all, word), exact, {
      walked,
      groups: sql`mine`,
      inGroup: sql`${which(this.#postingsOf(word))} and postings.project_id = mine.project_id`,
    })
  }

  #byBegun(begun: Sql, place: number, exact: boolean): Sql[] {
    const word = sql`${begun}.word`
    const newest = sql.all(this.#newestOf(word), this.#behind)
    if (this.#projects === undefined) return [this.#merged(place, begun, newest, exact)]
    const near = sql`select postings.id, postings.project_id from postings where postings.org_id = ${this.#orgId}
      and postings.kind = ${numberOf(this.#kind)} and postings.word = any(array(select ${begun}.word from ${begun})) and ${this.#inMine}
      ${this.#behind ? sql`and ${this.#behind}` : sql.empty}`
    return this.#ofProjects(place, near, undefined, exact, {
      walked: this.#merged(place, begun, newest, false),
      groups: sql`${begun} cross join mine`,
      inGroup: sql`${sql.all(this.#postingsOf(word), this.#behind)} and postings.project_id = mine.project_id`,
    })
  }

  /** For who sees some projects. */
  #ofProjects(
    place: number,
    near: Sql,
    further: Sql | undefined,
    exact: boolean,
    { walked, groups, inGroup }: { walked: Sql; groups: Sql; inGroup: Sql },
  ): Sql[] {
    const few = sql.literal(fewPostings)
    const name = this.#cte(`near_${place}`, sql`${near} limit ${sql.literal(fewPostings + 1)}`)
    const turn = this.#cte(
      `turn_${place}`,
      sql`select (select count(*) from ${name}) <= ${few} as reads,
        (select count(*) from (select from mine limit ${sql.literal(fewProjects + 1)}) those)
          <= ${sql.literal(fewProjects)} as merges`,
    )
    const is = (what: Sql) => sql`(select ${what} from ${turn})`
    // the same name for what is near, so that the same condition holds
    const read = this.#rowsOf(
      sql`select postings.id from (select distinct * from ${name} order by id desc offset 0) postings
        ${further ? sql`where ${further}` : sql.empty}`,
      { when: is(sql`${turn}.reads`) },
    )
    return [
      read,
      this.#gated(this.#merged(place, groups, inGroup, exact), is(sql`not ${turn}.reads and ${turn}.merges`)),
      this.#gated(walked, is(sql`not ${turn}.reads and not ${turn}.merges`)),
    ]
  }

  #gated(ids: Sql, when: Sql): Sql {
    return sql`select gated.id from (${ids}) gated where ${when}`
  }

  #walked(which: Sql): Sql {
    const table = tableOf(this.#kind)
    return sql`select postings.id from postings cross join lateral (
        select from ${table} where ${table}.org_id = ${this.#orgId} and ${table}.id = postings.id and ${this.#seen(true)}
        offset 0) there
      where ${which} order by postings.id desc limit ${this.#limit}`
  }

  /** The newest of each group are read by postings alone; where too many of these are out of date, with their rows. */
  #merged(place: number, groups: Sql, inGroup: Sql, exact: boolean): Sql {
    const ids = sql`select postings.id from postings where ${inGroup} order by postings.id desc`
    const surely = sql`
      select distinct first.id from ${groups} cross join lateral (${this.#walked(inGroup)}) first
      order by first.id desc limit ${this.#limit}`
    if (!exact) return surely
    const most = this.#limit + spare
    const top = this.#cte(
      `top_${place}`,
      sql`select distinct first.id from ${groups} cross join lateral (${ids} limit ${most}) first
        order by first.id desc limit ${most}`,
    )
    const kept = this.#cte(`kept_${place}`, this.#rowsOf(sql`select id from ${top} order by id desc offset 0`))
    const isShort = sql`(select count(*) from ${kept}) < ${this.#limit} and (select count(*) from ${top}) = ${most}`
    return sql`select id from ${kept} union all ${this.#gated(surely, isShort)}`
  }

  /** The first of these ids whose rows match. */
  #rowsOf(ids: Sql, { matching = true, when = undefined as Sql | undefined } = {}): Sql {
    const table = tableOf(this.#kind)
    return sql`select candidates.id from (${ids}) candidates cross join lateral (
        select from ${table} where ${table}.org_id = ${this.#orgId} and ${table}.id = candidates.id
          and ${this.#seen(matching)} offset 0) there
      ${when ? sql`where ${when}` : sql.empty} order by candidates.id desc limit ${this.#limit}`
  }

  #seen(matching: boolean): Sql {
    const [table, project] = [tableOf(this.#kind), projectOf(this.#kind)]
    // a project that is deleted is so itself
    const inProject = this.#kind.projectColumn === undefined
    const visible = this.#projects
      ? sql`(${project} in (select mine.project_id from mine)) is true`
      : inProject && sql`${inDeletedProject(this.#orgId, table)} is not true`
    return sql.all(
      sql`${table}.deleted_at is null`,
      matching && matches(this.#kind, this.#query),
      visible,
      this.#between(sql`${table}.id`),
    )
  }

  /** What no postings find. */
  #unposted(): Sql {
    const table = tableOf(this.#kind)
    const without = sql`${table}.deleted_at is null and not (${isPosted(this.#kind)})`
    const inMine = this.#projects && sql`${projectOf(this.#kind)} = any(array(select mine.project_id from mine))`
    return sql`select ${table}.id from (select * from ${table} where ${sql.all(
      sql`${table}.org_id = ${this.#orgId}`,
      without,
      inMine,
      this.#projects === undefined && matches(this.#kind, this.#query, { byIndex: true }),
    )} offset 0) ${table} where ${this.#seen(true)} order by ${table}.id desc limit ${this.#limit}`
  }
}
