interface NumberOption<Value extends number> {
  readonly value: Value;
  readonly label: string;
}

/** A select knows texts alone. */
export function choices(options: readonly NumberOption<number>[]) {
  return options.map(({ value, label }) => ({ value: String(value), label }));
}

/** Which of the numbers was chosen. */
export function numberOf<Value extends number>(options: readonly NumberOption<Value>[], chosen: string): Value {
  const found = options.find(({ value }) => String(value) === chosen);
  if (!found) throw new Error(`${chosen} is none of the choices`);
  return found.value;
}
