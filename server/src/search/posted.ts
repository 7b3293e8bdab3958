import { type Sql, sql } from '../db/sql.ts'
import { type Kind, numberOf } from './kind.ts'

/** A word that may go on stands for so many words: the first ones in the order of their letters. */
export const mostBegun = 50

/** How common a word is is told from so many of its postings. */
const counted = 100

/** SQL about the postings of a kind in an organization. Who sees some projects has these in `mine`. */
export class Posted {
  readonly #kind: Kind
  readonly #orgId: string

  constructor(kind: Kind, orgId: string) {
    this.#kind = kind
    this.#orgId = orgId
  }

  /** Condition: the postings of a word, to be read project by project. */
  of(word: Sql): Sql {
    return sql`postings.org_id = ${this.#orgId} and postings.kind = ${numberOf(this.#kind)} and postings.word = ${word}`
  }

  /**
   * The same postings, to be read newest first: by this name of its collation only the index that has them in order is found.
   */
  newestOf(word: Sql, postings = sql`postings`): Sql {
    return sql`${postings}.org_id = ${this.#orgId} and ${postings}.kind = ${numberOf(this.#kind)}
      and ${postings}.word = ${word} collate "POSIX"`
  }

  /**
   * Condition: the thing of a posting has all these words. Each is asked by itself (hence offset 0), as few are asked, and as
   * between two ids that are the same: for one id the planner may read all the words of the thing.
   */
  withAll(words: readonly string[], walked?: Sql): Sql {
    const other = sql`other`
    const each = words.map((word) => {
      const held = sql`exists (select from postings other where ${this.newestOf(sql`${word}`, other)}
        and other.id between postings.id and postings.id offset 0)`
      return walked ? sql`(${word} = ${walked} or ${held})` : held
    })
    return sql.all(...each)
  }

  /** Query of postings of a word in `mine`: each project is looked up by itself. PostgreSQL before 17 may take `any` for a filter, and read those of all projects. */
  inEachOfMine(which: Sql, most: Sql): Sql {
    return sql`select each.id, each.project_id from mine cross join lateral (
      select postings.id, postings.project_id from postings where ${which} and postings.project_id = mine.project_id
      order by postings.id desc limit ${most}) each`
  }

  /**
   * Query of `word`, `newest`, `last`: those of which the next postings reach back farthest first, with the ids of these.
   * @param behind condition of a posting
   */
  seldomest(words: readonly string[], behind: Sql | undefined): Sql {
    const most = sql.literal(counted)
    return sql`select asked.word, reach.newest, reach.last from unnest(${words}::text[]) asked (word)
      cross join lateral (
        select count(*) as things, (array_agg(those.id))[1] as newest, (array_agg(those.id))[${most}] as last from (
          select postings.id from postings where ${sql.all(this.newestOf(sql`asked.word`), behind)}
          order by postings.id desc limit ${most}) those) reach
      order by reach.things, reach.last`
  }

  /** Query of `word`: of these the one that is in the fewest things of `mine`, as its first postings there tell. */
  seldomestOfMine(words: readonly string[]): Sql {
    const most = sql.literal(counted)
    return sql`select asked.word from unnest(${words}::text[]) asked (word)
      cross join lateral (
        select count(*) as things, count(distinct those.project_id) as projects, (array_agg(those.id))[${most}] as last
        from (${this.inEachOfMine(this.of(sql`asked.word`), most)} limit ${most}) those) counted
      order by counted.things, counted.projects desc, counted.last limit 1`
  }
}
