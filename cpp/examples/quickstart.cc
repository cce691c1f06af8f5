// A compiler author's first program: read a graph, look into it, build another one, write it.
//
//   interlock-quickstart GRAPH OUTPUT.binpb OUTPUT.json

#include <execgraph/v1/graph.pb.h>
#include <interlock/interlock.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace eg = execgraph::v1;

namespace {

// Every function that can fail returns a Result: the value, or the error with its code, path and byte offset.
int explain(const interlock::Error &error) {
  std::fprintf(stderr, "%s\n", error.toString().c_str());
  return 2;
}

// A dispatch of `artifact` over `groups` workgroups. Ids name everything; nothing goes by position.
eg::Node *addDispatch(eg::ExecutionGraph &graph, const std::string &id, const std::string &artifact,
                      int groups) {
  eg::Node *node = graph.mutable_body()->add_nodes();
  node->set_id(id);
  eg::Dispatch *dispatch = node->mutable_operation()->mutable_dispatch();
  dispatch->set_artifact(artifact);
  dispatch->set_entry("main");
  eg::Geometry *geometry = dispatch->mutable_geometry();
  geometry->mutable_workgroup_count()->mutable_extents()->add_counts()->set_constant(groups);
  geometry->add_workgroup_size(64);
  return node;
}

// Binds a whole resource to a slot of the dispatch. A write that covers every byte is FULL.
void bind(eg::Node &node, const std::string &slot, const std::string &resource, eg::AccessMode access) {
  eg::Binding *binding = node.mutable_operation()->mutable_dispatch()->add_bindings();
  binding->set_slot(slot);
  binding->mutable_target()->set_resource(resource);
  binding->set_access(access);
  if (access == eg::ACCESS_MODE_WRITE)
    binding->set_coverage(eg::COVERAGE_FULL);
}

// Adds `elements` packed elements of four bytes.
eg::Resource *addResource(eg::ExecutionGraph &graph, const std::string &id, eg::ResourceRole role,
                          int elements) {
  eg::Resource *resource = graph.add_resources();
  resource->set_id(id);
  resource->set_role(role);
  resource->mutable_type()->set_element(eg::ELEMENT_TYPE_F32);
  resource->add_shape()->set_constant(elements);
  resource->mutable_size()->set_constant(elements * 4);
  return resource;
}

// Adds a dependency that makes what shaders wrote to a resource visible to what shaders read.
void addDependency(eg::Node &node, const std::string &source, const std::string &resource) {
  node.add_depends_on(source);
  eg::EdgeVisibility *edge = node.add_edge_visibility();
  edge->set_source(source);
  eg::VisibilityStatement *statement = edge->add_statements();
  statement->add_selections()->set_resource(resource);
  eg::AccessScope *written = statement->add_available_from();
  written->set_usage(eg::USAGE_SHADER_STORAGE);
  written->set_kind(eg::ACCESS_KIND_WRITE);
  eg::AccessScope *read = statement->add_visible_to();
  read->set_usage(eg::USAGE_SHADER_STORAGE);
  read->set_kind(eg::ACCESS_KIND_READ);
}

// Sums a vector in two dispatches. The header and the order of the sets are left to the encoder.
eg::ExecutionGraph twoDispatches() {
  eg::ExecutionGraph graph;
  graph.set_id("sum");
  graph.set_maximum_node_executions(2);
  addResource(graph, "values", eg::RESOURCE_ROLE_EXTERNAL_INPUT, 4096);
  eg::Resource *partial = addResource(graph, "partial", eg::RESOURCE_ROLE_TEMPORARY, 64);
  eg::LifetimeSpan *alive = partial->mutable_lifetime()->add_spans();
  alive->add_begins("slices");
  alive->add_ends("total");
  addResource(graph, "total", eg::RESOURCE_ROLE_EXTERNAL_OUTPUT, 1);
  graph.add_artifacts()->set_id("slice_totals");
  graph.add_artifacts()->set_id("grand_total");

  eg::Node *first = addDispatch(graph, "slices", "slice_totals", 64);
  bind(*first, "x", "values", eg::ACCESS_MODE_READ);
  bind(*first, "y", "partial", eg::ACCESS_MODE_WRITE);
  eg::Node *second = addDispatch(graph, "total", "grand_total", 1);
  addDependency(*second, "slices", "partial");
  bind(*second, "x", "partial", eg::ACCESS_MODE_READ);
  bind(*second, "y", "total", eg::ACCESS_MODE_WRITE);
  return graph;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s GRAPH OUTPUT.binpb OUTPUT.json\n", argv[0]);
    return 2;
  }

  // Read. Binary, JSON or text: the encoding is detected, and anything that is not canonical is refused.
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  interlock::DecodeOptions options;
  options.expectedKind = "ExecutionGraph";
  const interlock::Result<interlock::Document> document = interlock::decode(bytes, options);
  if (!document)
    return explain(document.error());

  // Look into it: the message is the generated class.
  const eg::ExecutionGraph &graph = *document->as<eg::ExecutionGraph>();
  std::printf("graph %s\ndigest %s\nresources %d\nnodes %d\n", graph.id().c_str(), document->digest().c_str(),
              graph.resources_size(), graph.body().nodes_size());

  // Build and write. Both encodings of one graph are fixed: the same graph always has the same bytes.
  const eg::ExecutionGraph built = twoDispatches();
  const interlock::Result<std::string> binary = interlock::encode(built);
  const interlock::Result<std::string> json = interlock::encodeJson(built);
  if (!binary || !json)
    return explain(!binary ? binary.error() : json.error());
  std::ofstream(argv[2], std::ios::binary) << *binary;
  std::ofstream(argv[3], std::ios::binary) << *json;
  std::printf("built %s\n", interlock::digest(*binary).c_str());
  return 0;
}
