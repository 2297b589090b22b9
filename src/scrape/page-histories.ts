// Reads the histories that changeTracking keeps, and compares any two versions of a page.
import type {
  HistoryDiff,
  HistoryDiffQuery,
  HistoryListQuery,
  PageHistory,
  PageVersion,
} from "../contract/page/change-history.ts";
import { assertPageReadable, isPageReadable } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import { RequestError } from "../errors.ts";
import { compareVersions } from "../formats/change-tracking/compare.ts";
import { compareFields } from "../formats/change-tracking/fields.ts";
import { buildDiff } from "../formats/change-tracking/diff.ts";
import type {
  ChangeHistoryStore,
  ChangeVersion,
  ListedHistory,
} from "../store/captures/change-histories.ts";
import type { VersionBody } from "./track-changes.ts";

const DEFAULT_LIMIT = 50;

type OpenStore = () => Promise<{
  readonly changeHistories: Pick<ChangeHistoryStore, "list" | "find">;
}>;
type Loaded = { readonly version: ChangeVersion; readonly body: VersionBody };

const toTime = (ms: number): string => new Date(ms).toISOString();

/** `versions` are newest first; the oldest one has not changed. */
const isChanged = (versions: readonly ChangeVersion[], at: number): boolean =>
  at + 1 < versions.length && versions[at]?.textHash !== versions[at + 1]?.textHash;

function describeHistory({ key, url, tag, versions }: ListedHistory): PageHistory {
  const changedAt = versions.find((_, at) => isChanged(versions, at))?.fetchedAt;
  return {
    id: key,
    url,
    tag,
    firstFetchedAt: toTime(versions.at(-1)?.fetchedAt ?? 0),
    lastFetchedAt: toTime(versions[0]?.fetchedAt ?? 0),
    lastChangedAt: changedAt === undefined ? null : toTime(changedAt),
    versions: versions.length,
    points: versions
      .map(({ fetchedAt }, at) => ({
        fetchedAt: toTime(fetchedAt),
        changed: isChanged(versions, at),
      }))
      .toReversed(),
  };
}

function describeVersion({ versions }: ListedHistory, version: ChangeVersion): PageVersion {
  const { id, fetchedAt, jobId } = version;
  const changed = isChanged(versions, versions.indexOf(version));
  return { id, fetchedAt: toTime(fetchedAt), jobId, changed };
}

/**
 * Throws NOT_FOUND for a history or version that the account does not have, and FORBIDDEN for a host
 * that the key may not fetch.
 */
export class PageHistories {
  readonly #store: OpenStore;

  constructor(store: OpenStore) {
    this.#store = store;
  }

  async list(
    identity: Identity,
    { limit = DEFAULT_LIMIT, before, text }: HistoryListQuery,
  ): Promise<{ readonly histories: readonly PageHistory[]; readonly before: number | null }> {
    const { changeHistories } = await this.#store();
    const found: ListedHistory[] = [];
    let next = before ?? null;
    do {
      const page = await changeHistories.list(identity.accountId, {
        limit,
        before: next ?? undefined,
        text,
      });
      const last = page.at(-1)?.versions[0]?.fetchedAt;
      next = page.length < limit ? null : (last ?? null);
      found.push(...page.filter(({ url }) => isPageReadable(identity, url)));
    } while (next !== null && found.length === 0);
    return { histories: found.map(describeHistory), before: next };
  }

  async read(
    identity: Identity,
    id: string,
  ): Promise<{ readonly history: PageHistory; readonly versions: readonly PageVersion[] }> {
    const found = await this.#find(identity, id);
    return {
      history: describeHistory(found),
      versions: found.versions.map((version) => describeVersion(found, version)),
    };
  }

  async readVersion(
    identity: Identity,
    id: string,
    versionId: string,
  ): Promise<{
    readonly version: PageVersion;
    readonly markdown: string;
    readonly json?: unknown;
  }> {
    const found = await this.#find(identity, id);
    const { version, body } = await load(found, versionId);
    return {
      version: describeVersion(found, version),
      markdown: body.markdown,
      ...(body.values === undefined ? {} : { json: body.values.value }),
    };
  }

  async compare(
    identity: Identity,
    id: string,
    { from, to, ignoreNoise = true }: HistoryDiffQuery,
  ): Promise<Omit<HistoryDiff, "success">> {
    const found = await this.#find(identity, id);
    const { versions } = found;
    const current = await load(found, to ?? versions[0]?.id);
    const at = versions.indexOf(current.version);
    const previous = await load(found, from ?? (versions[at + 1] ?? current.version).id);
    const older = versions.slice(versions.indexOf(previous.version) + 1);
    const comparison = await compareVersions(toText(previous), toText(current), {
      ignoreNoise,
      earlier: () => loadTexts(older),
    });
    const [before, after] = [previous.body.values, current.body.values];
    return {
      from: describeVersion(found, previous.version),
      to: describeVersion(found, current.version),
      changed: comparison.changed,
      diff: buildDiff(previous.body.markdown, current.body.markdown, comparison),
      ...(comparison.noise.kinds.length === 0
        ? {}
        : { noise: { lines: comparison.noise.lines, kinds: [...comparison.noise.kinds] } }),
      ...(before === undefined || after?.task !== before.task
        ? {}
        : { json: compareFields(before.value, after.value) }),
      previous: previous.body.markdown,
      current: current.body.markdown,
    };
  }

  async #find(identity: Identity, id: string): Promise<ListedHistory> {
    const found = await (await this.#store()).changeHistories.find(identity.accountId, id);
    if (found === undefined) throw new RequestError("NOT_FOUND", "There is no such page history.");
    assertPageReadable(identity, found.url);
    return found;
  }
}

async function load({ versions }: ListedHistory, id: string | undefined): Promise<Loaded> {
  const version = versions.find((one) => one.id === id);
  const body = (await version?.load()) as VersionBody | undefined;
  if (version === undefined || body === undefined)
    throw new RequestError(
      "NOT_FOUND",
      "The page has no such version; the oldest of more than 16 are removed.",
    );
  return { version, body };
}

const toText = ({ version, body }: Loaded) => ({
  markdown: body.markdown,
  fetchedAt: version.fetchedAt,
});

/** Oldest first; `versions` are newest first. */
async function loadTexts(versions: readonly ChangeVersion[]) {
  const texts = [];
  for (const version of versions.toReversed()) {
    const body = (await version.load()) as VersionBody | undefined;
    if (body !== undefined) texts.push(toText({ version, body }));
  }
  return texts;
}
