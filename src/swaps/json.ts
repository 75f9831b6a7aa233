export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
