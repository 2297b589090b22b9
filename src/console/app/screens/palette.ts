// ⌘K: every screen, every action of the screen, recent URLs, and the search over scraped pages.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isHelpOpen, isPaletteOpen, screenKeys, showKeys } from "../data/keys.ts";
import { recentRequests } from "../data/recent.ts";
import { setTheme } from "../data/theme.ts";
import { hasScope, signOut } from "../data/session.ts";
import { navigate } from "../router.ts";
import { dialog } from "../ui/dialog.ts";
import { dom } from "../ui/dom.ts";
import { icon, type IconName } from "../ui/icons.ts";
import { SCREENS } from "./index.ts";

type Entry = {
  readonly icon: IconName;
  readonly text: string;
  readonly hint: string;
  readonly run: () => void;
};

const MAX_ENTRIES = 40;
/** An address without a scheme, for which the server takes http. */
const HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/;

function listEntries(words: string): Entry[] {
  const screens = SCREENS.filter(
    ({ paths, scope }) =>
      !(paths[0] ?? "").includes(":") && (scope === undefined || hasScope(scope)),
  ).map(({ name, icon: symbol, paths, key }): Entry => ({
    icon: symbol,
    text: name,
    hint: key === undefined ? "" : `g ${key}`,
    run: () => navigate(paths[0] ?? "/"),
  }));
  const actions = screenKeys.value.map(({ keys, text, run }): Entry => ({
    icon: "run",
    text,
    hint: keys,
    run,
  }));
  const themes = (["light", "dark", "system"] as const).map((name): Entry => ({
    icon: "sun",
    text: `Theme: ${name}`,
    hint: "",
    run: () => setTheme(name),
  }));
  const recent = recentRequests.value.map(({ path, url, mode }): Entry => ({
    icon: "clock",
    text: url,
    hint: mode,
    run: () => navigate(path),
  }));
  const fixed = [
    ...screens,
    ...actions,
    ...themes,
    { icon: "out", text: "Sign out", hint: "", run: () => void signOut() } satisfies Entry,
  ];
  const query = encodeURIComponent(words);
  const isUrl = /^https?:\/\/\S+$/i.test(words);
  const open: Entry[] =
    isUrl || HOST.test(words)
      ? [
          {
            icon: "play",
            text: `Scrape ${words}`,
            hint: "Enter",
            run: () => navigate(`/?url=${query}&run=1`),
          },
        ]
      : [];
  const search: Entry[] =
    words === ""
      ? []
      : [
          {
            icon: "search",
            text: `Search scraped pages for “${words}”`,
            hint: "",
            run: () => navigate(`/console/search?q=${query}`),
          },
          {
            icon: "jobs",
            text: `Find jobs with “${words}”`,
            hint: "",
            run: () => navigate(`/console/jobs?text=${query}`),
          },
        ];
  const lower = words.toLowerCase();
  const matching = [...fixed, ...recent].filter(({ text }) => text.toLowerCase().includes(lower));
  // Words with a dot may be a name as well.
  const [first, second] = isUrl ? [open, matching] : [matching, open];
  return [...first, ...second, ...search].slice(0, MAX_ENTRIES);
}

export function Palette(): VNode {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const entries = listEntries(words.trim());
  const close = (): void => {
    isPaletteOpen.value = false;
  };
  const choose = (entry: Entry | undefined): void => {
    close();
    entry?.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(entries[at]);
    }
  };
  return dialog({
    title: "Go to",
    bare: true,
    class: "palette",
    onClose: close,
    body: [
      dom.input({
        ref: input,
        class: "palette-input",
        role: "combobox",
        "aria-expanded": true,
        "aria-controls": "palette-list",
        "aria-activedescendant": `palette-${at}`,
        "aria-label": "Search screens, actions and URLs",
        placeholder: "Go to, or paste a URL …",
        value: words,
        spellcheck: false,
        autocomplete: "off",
        onInput: (event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        },
        onKeyDown: onKey,
      }),
      dom.div(
        { class: "palette-list", id: "palette-list", role: "listbox", "aria-label": "Results" },
        ...entries.map((entry, index) =>
          dom.div(
            {
              key: `${entry.text} ${index}`,
              id: `palette-${index}`,
              class: "palette-item",
              role: "option",
              "aria-selected": index === at,
              onPointerMove: () => setAt(index),
              onClick: () => choose(entry),
            },
            icon(entry.icon),
            dom.span({ class: "truncate" }, entry.text),
            dom.span({ class: "hint" }, entry.hint),
          ),
        ),
      ),
    ],
  });
}

export function KeyHelp(): VNode {
  const row = (keys: string, text: string): VNode =>
    dom.div(
      { class: "row spread", key: keys + text },
      dom.span(null, text),
      dom.span(
        { class: "row" },
        ...showKeys(keys)
          .split(" ")
          .map((one) => dom.kbd({ class: "key" }, one)),
      ),
    );
  return dialog({
    title: "Keys",
    onClose: () => {
      isHelpOpen.value = false;
    },
    body: dom.div(
      { class: "stack" },
      row("⌘K", "Go to a screen, an action or a URL"),
      ...SCREENS.flatMap(({ name, key }) => (key === undefined ? [] : [row(`g ${key}`, name)])),
      row("/", "To the filter of the list"),
      row("Esc", "Close"),
      ...screenKeys.value.map(({ keys, text }) => row(keys, text)),
    ),
  });
}
