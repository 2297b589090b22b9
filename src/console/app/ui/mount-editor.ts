// CodeMirror in a shadow root: there it adds its styles as style sheets of script, which the content
// security policy allows; in the document it would write an inline style element.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { linter, type Diagnostic } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as showPlaceholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { findJsonFault } from "./json-fault.ts";

export type EditorOptions = {
  readonly label: string;
  readonly help?: string | undefined;
  readonly language: "json" | "javascript";
  readonly placeholder?: string | undefined;
  readonly onInput: (text: string) => void;
  /** Called with each fault of JSON and its place, and with undefined when there is none. */
  readonly onFault?: ((message: string | undefined) => void) | undefined;
};

export type Editor = {
  /** Replaces the text without reporting it. */
  readonly setText: (text: string) => void;
  readonly readText: () => string;
  readonly focus: () => void;
  readonly destroy: () => void;
};

/** Marks changes that do not come from the person who types. */
const isFromOutside = Annotation.define<boolean>();

const LINT_DELAY_MS = 300;

/** The colors of the read-only code views. */
const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--blue)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--green)" },
  { tag: tags.number, color: "var(--amber)" },
  { tag: [tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--violet)" },
  { tag: tags.comment, color: "var(--text-3)" },
]);

const LOOK = EditorView.theme({
  "&": {
    minHeight: "calc(5 * 1.6 * var(--size-xs) + 14px)",
    maxHeight: "360px",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "var(--size-xs)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--text-3)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-tint)", color: "inherit" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--red-tint)", color: "inherit" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--red) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--red)" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    fontFamily: "var(--font)",
  },
  ".cm-diagnostic-error": { borderLeft: "0" },
});

/** The words of JSON.parse without its copy of the text and its own names for the place. */
const toWords = (message: string): string =>
  message
    .replace(/ in JSON at position \d+.*$/s, "")
    .replace(/, (?:\.{3})?".*" is not valid JSON$/s, "");

/** Marks the position at which JSON.parse fails. */
function findFaults(view: EditorView): readonly Diagnostic[] {
  const { doc } = view.state;
  const text = doc.toString();
  if (text.trim() === "") return [];
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = findJsonFault(text) ?? text.length;
    const { number, from: lineStart } = doc.lineAt(at);
    const place = `Line ${number}, column ${at - lineStart + 1}`;
    // An empty range would be a point beside the text.
    const from = at === text.length ? text.trimEnd().length - 1 : at;
    return [{ from, to: from + 1, severity: "error", message: `${place}: ${toWords(message)}` }];
  }
}

const LANGUAGES: Readonly<
  Record<EditorOptions["language"], (onFault: EditorOptions["onFault"]) => Extension>
> = {
  json: (onFault) => [
    json(),
    linter(
      (view) => {
        const faults = findFaults(view);
        onFault?.(faults[0]?.message);
        return faults;
      },
      { delay: LINT_DELAY_MS },
    ),
  ],
  javascript: () => StreamLanguage.define(javascript),
};

export function mountEditor(host: HTMLElement, text: string, options: EditorOptions): Editor {
  const { label, help, language, placeholder, onInput, onFault } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        bracketMatching(),
        indentOnInput(),
        EditorView.lineWrapping,
        syntaxHighlighting(COLORS),
        LOOK,
        LANGUAGES[language](onFault),
        // ⌘Enter runs the request; Tab moves on, for people without a pointer.
        keymap.of([...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap]),
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: "false",
          dir: "ltr",
          ...(help !== undefined && { "aria-description": help }),
        }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isTyped = transactions.every((one) => one.annotation(isFromOutside) !== true);
          if (docChanged && isTyped) onInput(state.doc.toString());
        }),
        ...(placeholder === undefined ? [] : [showPlaceholder(placeholder)]),
      ],
    }),
  });
  return {
    setText(next) {
      const { doc } = view.state;
      if (doc.toString() !== next)
        view.dispatch({
          changes: { from: 0, to: doc.length, insert: next },
          annotations: isFromOutside.of(true),
        });
    },
    readText: () => view.state.doc.toString(),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
