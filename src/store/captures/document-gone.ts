/** Message in place of a document whose blob is missing. */
export const describeGoneDocument = (url: string): string =>
  `The stored document of ${url} is gone.`;
