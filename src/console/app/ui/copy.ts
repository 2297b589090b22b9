import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { iconButton } from "./button.ts";
import { create } from "./dom.ts";

const SHOWN_MS = 1_500;

function CopyButton({
  text,
  label,
  onCopied,
}: {
  readonly text: string | (() => string);
  readonly label: string;
  readonly onCopied?: (() => void) | undefined;
}): VNode {
  const [isDone, setDone] = useState(false);
  return iconButton({
    icon: isDone ? "check" : "copy",
    label: isDone ? "Copied" : label,
    small: true,
    onClick: (event) => {
      event.stopPropagation();
      void navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(() => {
        setDone(true);
        onCopied?.();
        setTimeout(() => setDone(false), SHOWN_MS);
      });
    },
  });
}

export const copyButton = (
  text: string | (() => string),
  label = "Copy",
  onCopied?: () => void,
): VNode => create(CopyButton, { text, label, onCopied });
