export declare const oldScripts: Record<string, string>
export declare const oldPaths: Record<string, string>
export declare const oldTools: Record<string, string>
export declare function commandOfPath(path: string): string | undefined
export declare function resolveOldPath(): void
