export interface FormPart {
  readonly name: string;
  readonly filename: string | null;
  readonly content: Buffer;
}

/** Just enough of multipart/form-data for a staged upload: fields, then the file. Null when it is not well formed. */
export function parseMultipart(body: Buffer, contentType: string): FormPart[] | null {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) return null;
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: FormPart[] = [];
  let at = body.indexOf(delimiter);
  if (at === -1) return null;
  for (;;) {
    const start = at + delimiter.length;
    if (body.subarray(start, start + 2).toString() === '--') return parts;
    const next = body.indexOf(delimiter, start);
    if (next === -1) return null;
    // Between two delimiters: line break, headers, empty line, content, line break.
    const section = body.subarray(start + 2, next - 2);
    const headerEnd = section.indexOf('\r\n\r\n');
    if (headerEnd === -1) return null;
    const headers = section.subarray(0, headerEnd).toString('utf8');
    const name = /name="([^"]*)"/.exec(headers)?.[1];
    if (name === undefined) return null;
    parts.push({
      name,
      filename: /filename="([^"]*)"/.exec(headers)?.[1] ?? null,
      content: Buffer.from(section.subarray(headerEnd + 4)),
    });
    at = next;
  }
}
