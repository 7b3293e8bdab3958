import type { Caller } from '../access/caller.ts'
import { inDeletedProject, projectsOf } from '../access/visibility.ts'
import { keptAs } from '../db/search-words.ts'
import { type Sql, sql } from '../db/sql.ts'
import { matches } from './condition.ts'
import { isPosted, type Kind, numberOf, projectOf, tableOf } from './kind.ts'
import { type Groups, msOf, nearest } from './nearest.ts'
import { mostBegun, Posted } from './posted.ts'
import type { Query, Term } from './query.ts'

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
  /**
   * condition that rows must fulfil besides. They are looked for among some hundreds that match, and none is found where these
   * are fewer than the limit.
   */
  besides?: Sql | undefined
}

/** So many postings that somebody of many projects may see are read and put in order; of more, the newest are looked for. */
const fewPostings = 1_000

/** The newest postings of each of so many projects are merged; with more, those of all are walked. */
const fewProjects = 64

/** So many rows are looked at for a condition besides. */
const mostBesides = 600

/** So many with the words that are whole are looked at for those that may go on, before it is asked in how many these are. */
const mostAtFirst = 2_000

/** A list is walked, and each of it looked up in the others, where one of these is so many times as dense; else they are merged. */
const denser = 16

/**
 * Query of the rows of a kind that match, newest first, for what the caller sees. A query that asks for no word to be there
 * (`isWalked`) is not for this: nothing but a walk past all rows answers it.
 *
 * - Who sees all: the postings of the word are walked newest first; of several words, those of the least common, or those of
 *   all are merged.
 * - Who sees some projects: the newest postings of each are merged. No others are looked at, so the time of an answer tells
 *   nothing of them. Of many projects up to 1,000 postings are read and put in order; where there are more, the postings of
 *   all are walked.
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

const longestOf = (words: readonly string[]) => words.toSorted((one, other) => other.length - one.length)[0] ?? ''

/** The rows of some queries, each once. */
const union = (streams: readonly Sql[]): Sql =>
  sql.join(
    streams.map((stream) => sql`(${stream})`),
    ' union ',
  )

const endless = Number.MAX_SAFE_INTEGER

class Search {
  readonly #kind: Kind
  readonly #caller: Caller
  readonly #query: Query
  readonly #wanted: Wanted
  readonly #projects: Sql | undefined
  readonly #posted: Posted
  readonly #ctes: Sql[] = []
  /** so many rows are looked at, and fewer than the limit may be found */
  #most: number | undefined

  constructor(kind: Kind, caller: Caller, query: Query, wanted: Wanted) {
    this.#kind = kind
    this.#caller = caller
    this.#query = query
    this.#wanted = wanted
    this.#projects = projectsOf(caller, wanted.within)
    this.#posted = new Posted(kind, caller.orgId)
    this.#most = wanted.besides && mostBesides
  }

  statement(): Sql {
    const [table, limit] = [tableOf(this.#kind), this.#limit]
    if (this.#projects) this.#cte('mine', this.#projects)
    const posted = this.#query.flatMap((terms, i) => this.#streamsOf(terms, i))
    const streams = [this.#unposted()]
    if (this.#wanted.also) streams.push(this.#rowsOf(this.#wanted.also, { matching: false }))
    // what postings find must fill the page: else what comes behind the last of them may be older than what they left out
    const filled = this.#wanted.besides ? this.#cte('filled', union(posted)) : undefined
    const found = filled
      ? sql`select every.id from (${union([sql`select id from ${filled}`, ...streams])}) every
          where (select count(*) from ${filled}) >= ${limit}`
      : union([...posted, ...streams])
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
          ? sql`any(array(select word from ${this.#begun(beginning, place)}))`
          : whole.length === 1
            ? sql`${first}::text`
            : this.#seldomest(whole, place)
      const which = this.#posted.of(word)
      const posted =
        mine && first !== undefined
          ? this.#posted.inEachOfMine(which, most)
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
    if (whole.length === 0) return this.#byBegun(this.#begun(beginning, place), place)
    if (beginning.length === 0 || this.#most !== undefined) return this.#byWords(whole, `${place}`)
    return this.#byWordsOrBegun(whole, this.#begun(beginning, place), place)
  }

  /**
   * By the words that are whole: near the position at first. Where too few match, by those that begin so, if all of these are
   * known and are in few things.
   */
  #byWordsOrBegun(whole: readonly string[], begun: Sql, place: number): Sql[] {
    this.#most = mostAtFirst
    const early = this.#cte(`early_${place}`, union(this.#byWords(whole, `${place}`)))
    this.#most = undefined
    const isShort = sql`(select count(*) from ${early}) < ${this.#limit}`
    const few = this.#cte(
      `few_${place}`,
      sql`select near.id from (${this.#nearBegun(begun)}) near where ${isShort} limit ${sql.literal(fewPostings + 1)}`,
    )
    const knowsAll = sql`(select count(*) from ${begun}) < ${sql.literal(mostBegun)}`
    const areFew = sql`${knowsAll} and (select count(*) from ${few}) <= ${sql.literal(fewPostings)}`
    const found = sql`select postings.id from (select distinct id from ${few} order by id desc offset 0) postings
      where ${this.#posted.withAll(whole)}`
    return [
      sql`select ${early}.id from ${early}`,
      this.#rowsOf(found, { when: sql`${isShort} and ${areFew}` }),
      ...this.#byWords(whole, `${place}_then`, sql`${isShort} and not (${areFew})`),
    ]
  }

  /** Query of postings of words that begin so, in no order. */
  #nearBegun(begun: Sql): Sql {
    const which = sql`postings.word = any(array(select ${begun}.word from ${begun}))`
    return sql`select postings.id, postings.project_id from postings where ${sql.all(
      sql`postings.org_id = ${this.#orgId} and postings.kind = ${numberOf(this.#kind)}`,
      which,
      this.#projects && this.#inMine,
      this.#behind,
    )}`
  }

  /** SQL: the word that is the least common of some, near the position of the page. */
  #seldomest(words: readonly string[], place: string | number): Sql {
    const least = this.#projects
      ? this.#cte(`least_${place}`, this.#posted.seldomestOfMine(words))
      : this.#cte(`least_${place}`, this.#posted.seldomest(words, this.#behind))
    return sql`(select ${least}.word from ${least} limit 1)`
  }

  /** A query of `word`: those that begin so, as far as the caller sees them. */
  #begun(starts: readonly string[], place: number): Sql {
    const start = longestOf(starts)
    return this.#cte(`begun_${place}`, this.#wordsBegun(start, place))
  }

  #wordsBegun(start: string, place: number): Sql {
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

  /** Condition: the posting is in a project that the caller sees. */
  get #inMine() {
    return sql`postings.project_id = any(array(select mine.project_id from mine))`
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

  #byWords(all: readonly string[], place: string, when?: Sql): Sql[] {
    const [first = ''] = all
    const several = all.length > 1
    if (this.#projects === undefined) return this.#ofAll(all, place, when)
    const word = several ? this.#seldomest(all, place) : sql`${first}::text`
    const held = several ? this.#posted.withAll(all, word) : undefined
    const which = sql.all(this.#posted.of(word), this.#behind)
    const scope = this.#scope(place, this.#posted.inEachOfMine(which, sql.literal(fewPostings + 1)), when)
    return [
      ...this.#nearest(place, sql`mine`, sql`${which} and postings.project_id = mine.project_id`, {
        held,
        when: scope.merges,
      }),
      this.#rowsOf(
        sql`select postings.id from (select distinct id from ${scope.near} order by id desc offset 0) postings
        ${held ? sql`where ${held}` : sql.empty}`,
        { when: scope.reads },
      ),
      ...this.#ofAll(all, place, scope.walks),
    ]
  }

  /** The postings of everybody, newest first: one list is walked, or all are merged. */
  #ofAll(all: readonly string[], place: string, when?: Sql): Sql[] {
    const [first = '', ...others] = all
    if (others.length === 0) return [this.#walked(sql.all(this.#posted.newestOf(sql`${first}`), this.#behind, when))]
    const reach = this.#cte(`reach_${place}`, this.#posted.seldomest(all, this.#behind))
    const turn = this.#cte(
      `turn_${place}`,
      sql`select (array_agg(${reach}.word))[1] as word, ${this.#areAlike(reach)} as merges from ${reach} ${when ? sql`where ${when}` : sql.empty}`,
    )
    const is = (what: Sql) => sql`(select ${what} from ${turn})`
    const word = is(sql`${turn}.word`)
    const walked = sql.all(
      this.#posted.newestOf(word),
      this.#behind,
      this.#posted.withAll(all, word),
      is(sql`not ${turn}.merges`),
      when,
    )
    const list = (one: string, name: Sql) =>
      sql.all(this.#posted.newestOf(sql`${one}`, name), this.#between(sql`${name}.id`))
    const joined = others.map((word, i) => {
      const name = sql.named(`other${i}`)
      return sql`join postings ${name} on ${name}.id = postings.id and ${list(word, name)}`
    })
    // the limit, which the planner does not know, lets it expect that few are read: then it merges, and does not sort
    const merged = sql`(select postings.id from postings ${sql.join(joined, ' ')} where ${list(first, sql`postings`)}
      order by postings.id desc limit ${endless}) postings`
    return [this.#walked(walked), this.#walked(sql.all(is(sql`${turn}.merges`), when), merged)]
  }

  /** SQL of an aggregate: whether no list is much denser than another. */
  #areAlike(reach: Sql): Sql {
    const span = sql`(${msOf(sql`${reach}.newest`)} - ${msOf(sql`${reach}.last`)})`
    return sql`coalesce(
      bool_and(${reach}.last is not null) and max(${span}) < ${sql.literal(denser)} * min(${span}), false)`
  }

  #byBegun(begun: Sql, place: number): Sql[] {
    const word = sql`${begun}.word`
    const newest = sql.all(this.#posted.newestOf(word), this.#behind)
    if (this.#projects === undefined) return this.#nearest(`${place}`, begun, newest)
    const scope = this.#scope(`${place}`, this.#nearBegun(begun))
    const inGroup = sql`${sql.all(this.#posted.of(word), this.#behind)} and postings.project_id = mine.project_id`
    return [
      ...this.#nearest(`${place}`, sql`${begun} cross join mine`, inGroup, { when: scope.merges }),
      this.#rowsOf(sql`select distinct id from ${scope.near} order by id desc offset 0`, { when: scope.reads }),
      ...this.#nearest(`${place}_all`, begun, newest, { when: scope.walks }),
    ]
  }

  /** What is looked at for who sees some projects: conditions of which one holds. */
  #scope(place: string, near: Sql, when?: Sql) {
    const few = sql.literal(fewPostings)
    const name = this.#cte(`near_${place}`, sql`${near} limit ${sql.literal(fewPostings + 1)}`)
    const turn = this.#cte(
      `scope_${place}`,
      sql`
      select case when (select count(*) from (select from mine limit ${sql.literal(fewProjects + 1)}) those) <= ${sql.literal(fewProjects)} then 1
        when (select count(*) from ${name}) <= ${few} then 2 else 3 end as way`,
    )
    const is = (way: number) => sql.all(when, sql`(select ${turn}.way from ${turn}) = ${sql.literal(way)}`)
    return { near: name, merges: is(1), reads: is(2), walks: is(3) }
  }

  #nearest(name: string, groups: Sql, inGroup: Sql, { held, when }: Pick<Groups, 'held' | 'when'> = {}): Sql[] {
    return nearest(
      {
        limit: this.#limit,
        most: this.#most,
        cte: (name, query) => this.#cte(name, query),
        rowsOf: (ids, when) => this.#rowsOf(ids, { when }),
        walked: (which) => this.#walked(which),
      },
      { name, groups, inGroup, held, when },
    )
  }

  /** The newest of some postings, or of ids by that name, whose things match. */
  #walked(which: Sql, from = sql`postings`): Sql {
    const table = tableOf(this.#kind)
    if (this.#most !== undefined)
      return this.#rowsOf(
        sql`select postings.id from ${from} where ${which} order by postings.id desc limit ${sql.literal(this.#most)}`,
      )
    return sql`select postings.id from ${from} cross join lateral (
        select from ${table} where ${table}.org_id = ${this.#orgId} and ${table}.id = postings.id and ${this.#seen(true)}
        offset 0) there
      where ${which} order by postings.id desc limit ${this.#limit}`
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
      // hidden from the planner, which could find rows by it
      this.#wanted.besides && sql`(${this.#wanted.besides}) is true`,
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
