// Converts conversations for providers that require alternating turns.
import type { ModelMessage } from "./model.ts";

export type JoinedTurn = { readonly isModel: boolean; readonly parts: Record<string, unknown>[] };

/**
 * Returns the messages without system messages, with consecutive messages of one role joined into a
 * turn; `partsOf` formats a message for the provider.
 */
export function joinTurns(
  messages: readonly ModelMessage[],
  partsOf: (message: ModelMessage) => Record<string, unknown>[],
): JoinedTurn[] {
  const turns: JoinedTurn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const isModel = message.role === "assistant";
    const parts = partsOf(message);
    const last = turns.at(-1);
    if (last?.isModel === isModel) last.parts.push(...parts);
    else turns.push({ isModel, parts });
  }
  return turns;
}
