type Cell = string | number | boolean | null;

const GAP = '  ';

/** Rows as a table for a terminal: a column for each key of the first row, numbers to the right. Control characters of names are dropped. */
export function layOutTable(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const text = (value: Cell | undefined): string => String(value ?? '-').replaceAll(/\p{Cc}+/gu, ' ');
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => text(row[column]).length)));
  const line = (cells: readonly string[], isRight: (at: number) => boolean): string =>
    cells
      .map((cell, at) => (isRight(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd();
  const isNumber = (at: number): boolean => rows.every((row) => typeof row[columns[at] ?? ''] === 'number');
  return [
    line(
      columns.map((column) => column.toUpperCase()),
      isNumber,
    ),
    ...rows.map((row) =>
      line(
        columns.map((column) => text(row[column])),
        isNumber,
      ),
    ),
  ].join('\n');
}
