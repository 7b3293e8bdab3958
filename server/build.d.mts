export function builtProgram(): Promise<string>
