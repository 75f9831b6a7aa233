export declare function bundleFolder(): string
