// The least that a command costs: it is started, and returns.
int main(void) { return 0; }
