// Conversations for providers that want the two sides to take turns.
import type { ModelMessage } from "./model.ts";

export type JoinedTurn = { readonly isModel: boolean; readonly parts: Record<string, unknown>[] };

/** The messages without those of the system, what one side says in a row as one turn; `partsOf` writes a message as the provider wants it. */
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
