// A field for JSON or JavaScript with colors, matching brackets and marked errors. The editor is
// fetched when the field is first seen; until then a plain field of the same size takes the input.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { dom } from "./dom.ts";
import { textInput } from "./fields.ts";
import type { Editor, EditorOptions } from "./mount-editor.ts";

export type CodeEditorProps = Omit<EditorOptions, "onInput"> & {
  readonly value: string;
  readonly onInput: (value: string) => void;
};

export function CodeEditor(props: CodeEditorProps): VNode {
  const { label, help, language, placeholder, value, onInput, onFault } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const [isReady, setReady] = useState(false);
  /** Texts that the editor has reported and that have not come back as `value` yet. */
  const reported = useRef(new Set<string>());
  // The editor is mounted once and calls the latest handler.
  const latest = useRef({ value, onInput, onFault });
  latest.current = { value, onInput, onFault };

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    let isGone = false;
    const mount = (): Promise<void> =>
      import("./mount-editor.ts").then(({ mountEditor }) => {
        if (isGone) return;
        const hadFocus = element.contains(document.activeElement);
        editor.current = mountEditor(element, latest.current.value, {
          label,
          language,
          ...(help !== undefined && { help }),
          ...(placeholder !== undefined && { placeholder }),
          onInput: (text) => {
            reported.current.add(text);
            latest.current.onInput(text);
          },
          onFault: (message) => latest.current.onFault?.(message),
        });
        setReady(true);
        if (hadFocus) editor.current.focus();
      });
    // Fields in closed groups are not seen.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // Without the editor, the plain field stays.
      mount().catch(() => undefined);
    });
    observer.observe(element);
    return () => {
      isGone = true;
      observer.disconnect();
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => {
    // People type faster than the screen is drawn: only a text from elsewhere replaces theirs.
    if (!reported.current.has(value)) editor.current?.setText(value);
    if (editor.current?.readText() === value) reported.current.clear();
  }, [value]);

  return dom.div(
    { class: "code-editor", ref: host },
    !isReady &&
      textInput({
        "aria-label": label,
        value,
        onInput,
        rows: 5,
        mono: true,
        ...(placeholder !== undefined && { placeholder }),
      }),
  );
}
