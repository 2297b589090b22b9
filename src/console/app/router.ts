// Addresses and screens. The address holds what a screen shows: filters, tabs and open details
// survive a reload.
import { signal } from "@preact/signals";

export type Place = { readonly path: string; readonly query: URLSearchParams };

const readPlace = (): Place => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

export const place = signal<Place>(readPlace());

const toPlace = (path: string): Place => {
  const url = new URL(path, location.origin);
  return { path: url.pathname, query: url.searchParams };
};

/** Data of an entry of the browser's history. */
type Entry = { readonly id: string; readonly top?: number };

const opened = Date.now();
let entries = 0;
/** Ids stay different after the document is loaded again. */
const createEntry = (): Entry => ({ id: `${opened}-${++entries}` });

const readEntry = (): Entry | undefined => {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "id" in state
    ? (state as Entry)
    : undefined;
};

/** Id of the current entry of the history; two visits of an address have different ones. */
export const readEntryId = (): string => readEntry()?.id ?? "";

let keptScroll: number | undefined;

/** Where the screen was scrolled to, once, after the way back to its entry; undefined otherwise. */
export function takeKeptScroll(): number | undefined {
  const top = keptScroll;
  keptScroll = undefined;
  return top;
}

export function navigate(path: string): void {
  // A row and the link in it lead to the same place: one step back leaves it.
  if (path === location.pathname + location.search) return;
  history.replaceState({ ...readEntry(), top: scrollY }, "");
  keptScroll = undefined;
  history.pushState(createEntry(), "", path);
  place.value = toPlace(path);
  scrollTo(0, 0);
}

/** Changes parts of the query without a new entry in the history; undefined removes one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  const path = `${place.value.path}${text === "" ? "" : `?${text}`}`;
  // The kept scroll position belongs to the rows of the earlier query.
  keptScroll = undefined;
  history.replaceState(history.state, "", path);
  place.value = { path: place.value.path, query };
}

const isOwn = ({ origin, pathname }: URL): boolean =>
  origin === location.origin && (pathname === "/" || pathname.startsWith("/console/"));

/** Links to screens are followed without reloading the document. */
export function followLinks(): void {
  if (readEntry() === undefined) history.replaceState(createEntry(), "");
  addEventListener("popstate", () => {
    keptScroll = readEntry()?.top;
    place.value = readPlace();
  });
  document.addEventListener("click", (event) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download")) return;
    const url = URL.parse(link.href);
    if (url === null || !isOwn(url)) return;
    event.preventDefault();
    navigate(`${url.pathname}${url.search}`);
  });
}
